// The walk-throughs of docs/adding.md are templates: between the marks `<!-- walkthrough NAME FOLDER -->` and
// `<!-- end of walkthrough -->` the fence of each block of code says where it goes.
//
//   file=PATH                    a new file
//   file=PATH after="TEXT"       behind the one line of the file that has this text; `before` is before it, `replace` in its place

const promises = {
  estimator: ({ edits }) => [new Set(edits.map(({ file }) => file)).size, 4, "files"],
  model: (walk) => [linesOutside(walk), 3, "lines outside its folder"],
};

/** The edits of each walk-through on a page, and its own folder, by its name. */
export function walkthroughs(page) {
  const walks = page.matchAll(/<!-- walkthrough (\w+) (\S+) -->([\s\S]*?)<!-- end of walkthrough -->/g);
  const fence =
    /^```\w+ (?:[^\n]*? )?file=(\S+)(?: (after|before|replace)="([^"\n]+)")?[^\n]*\n([\s\S]*?)^```$/gm;
  return new Map(
    Array.from(walks, ([, name, folder, text]) => {
      const edits = Array.from(text.matchAll(fence), ([, file, place, anchor, code]) => ({
        file,
        place,
        anchor,
        code,
      }));
      return [name, { folder, edits }];
    }),
  );
}

const isTest = ({ file }) => file.startsWith("test/");

/** Lines that are new, or not what they were, in files of others. */
function linesOutside({ folder, edits }) {
  const others = edits.filter(({ file }) => !file.startsWith(folder));
  const lines = ({ place, code }) => (place === "replace" ? 1 : code.trimEnd().split("\n").length);
  return others.reduce((sum, edit) => sum + lines(edit), 0);
}

/** What is not as promised: each walk-through is there, and touches no more than it may, beside a test. */
export function broken(walks) {
  return Object.entries(promises).flatMap(([name, count]) => {
    const { folder, edits = [] } = walks.get(name) ?? {};
    const [is, most, what] = count({ folder, edits: edits.filter((edit) => !isTest(edit)) });
    if (edits.length === 0) return [`there is no walk-through ${name}`];
    return is > most ? [`the walk-through ${name} touches ${is} ${what}, and may touch ${most}`] : [];
  });
}

/** What a file becomes by an edit; `text` is what it was, if it was there. */
export function edited(text, { file, place, anchor, code }) {
  if (place === undefined) {
    if (text !== undefined) throw new Error(`${file} is there already`);
    return code;
  }
  const lines = (text ?? "").split("\n");
  const places = lines.flatMap((line, at) => (line.includes(anchor) ? [at] : []));
  if (places.length !== 1)
    throw new Error(`${places.length} lines of ${file} have ${JSON.stringify(anchor)}`);
  lines.splice(
    places[0] + (place === "after" ? 1 : 0),
    place === "replace" ? 1 : 0,
    ...code.trimEnd().split("\n"),
  );
  return lines.join("\n");
}
