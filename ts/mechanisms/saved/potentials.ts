/** How many potentials the prior of a group has, and the group itself. */
interface Lengths {
  readonly prior: number;
  readonly potentials: number;
}

/** Potentials of groups: first those of the priors of all of them, then their own. */
interface Lists {
  readonly priors: Float64Array<ArrayBuffer>;
  readonly own: Float64Array<ArrayBuffer>;
}

/** The two lists of potentials that come group after group. */
export function parted(numbers: Float64Array, groups: readonly Lengths[]): Lists {
  const { priors, own } = rooms(groups);
  walk(groups, (from, v, u, { prior, potentials }) => {
    priors.set(numbers.subarray(from, from + prior), v);
    own.set(numbers.subarray(from + prior, from + prior + potentials), u);
  });
  return { priors, own };
}

/** Potentials group after group again. */
export function woven({ priors, own }: Lists, groups: readonly Lengths[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(priors.length + own.length);
  walk(groups, (to, v, u, { prior, potentials }) => {
    numbers.set(priors.subarray(v, v + prior), to);
    numbers.set(own.subarray(u, u + potentials), to + prior);
  });
  return numbers;
}

function rooms(groups: readonly Lengths[]): Lists {
  const sum = (of: (one: Lengths) => number) => groups.reduce((so, one) => so + of(one), 0);
  return {
    priors: new Float64Array(sum(({ prior }) => prior)),
    own: new Float64Array(sum(({ potentials }) => potentials)),
  };
}

/** Where the numbers of each group begin: those that come group after group, and those of each list. */
function walk(
  groups: readonly Lengths[],
  visit: (at: number, priors: number, own: number, lengths: Lengths) => void,
): void {
  let [v, u] = [0, 0];
  for (const lengths of groups) {
    visit(v + u, v, u, lengths);
    v += lengths.prior;
    u += lengths.potentials;
  }
}
