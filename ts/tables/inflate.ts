import { MarginaliaError } from "../errors.js";

/** How far it came: the taker has enough, the file ended, or the bytes that were given did. */
export type Outcome = "enough" | "ended" | "more";

/** Thrown where the bytes end. */
const MORE = Symbol();
/** Thrown where the taker has enough. */
const ENOUGH = Symbol();

/**
 * Decompresses the beginning of a gzip file (RFC 1951 and 1952) byte by byte until the taker has enough. For the first
 * line of a private file alone: the platform's decompressor takes whole blocks, so that whether the rows in them are
 * damaged would be seen before they are paid for. No checksum is looked at, since that is of all that follows.
 */
export function inflate(bytes: Uint8Array, take: (byte: number) => boolean): Outcome {
  const input = new Input(bytes);
  try {
    do {
      member(input, take);
    } while (input.at < bytes.length);
    return "ended";
  } catch (thrown) {
    if (thrown === MORE) return "more";
    if (thrown === ENOUGH) return "enough";
    throw thrown;
  }
}

function damaged(): MarginaliaError {
  const message = "the first line of the gzip data is damaged: fetch the file again, or decompress it first";
  return new MarginaliaError("GZIP_INVALID", message);
}

class Input {
  at = 0;
  readonly #bytes: Uint8Array;
  #bit = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A number of so many bits, the lowest first. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw MORE;
      value += ((byte >> this.#bit) & 1) * 2 ** i;
      this.#bit = (this.#bit + 1) % 8;
      if (this.#bit === 0) this.at += 1;
    }
    return value;
  }

  /** Goes on at the next whole byte. */
  align(): void {
    if (this.#bit > 0) this.at += 1;
    this.#bit = 0;
  }
}

/** What was decompressed: matches are copied from the last 32 KiB of it. */
class Output {
  readonly #take: (byte: number) => boolean;
  readonly #window = new Uint8Array(1 << 15);
  #length = 0;

  constructor(take: (byte: number) => boolean) {
    this.#take = take;
  }

  push(byte: number): void {
    this.#window[this.#length % this.#window.length] = byte;
    this.#length += 1;
    if (this.#take(byte)) throw ENOUGH;
  }

  copy(length: number, distance: number): void {
    if (distance > Math.min(this.#length, this.#window.length)) throw damaged();
    for (let i = 0; i < length; i++) {
      this.push(this.#window[(this.#length - distance) % this.#window.length] as number);
    }
  }
}

function member(input: Input, take: (byte: number) => boolean): void {
  const [first, second, method, flags] = [input.bits(8), input.bits(8), input.bits(8), input.bits(8)];
  if (first !== 0x1f || second !== 0x8b || method !== 8) throw damaged();
  input.bits(48); // Time, flags of the compressor, system.
  if (flags & 4) for (let left = input.bits(16); left > 0; left--) input.bits(8);
  for (const named of [8, 16]) if (flags & named) while (input.bits(8) !== 0);
  if (flags & 2) input.bits(16);
  const output = new Output(take);
  let last = 0;
  do {
    last = input.bits(1);
    block(input, output, input.bits(2));
  } while (last === 0);
  input.align();
  for (let i = 0; i < 8; i++) input.bits(8); // Checksum and length.
}

function block(input: Input, output: Output, kind: number): void {
  if (kind === 0) return stored(input, output);
  if (kind === 1) return compressed(input, output, FIXED);
  if (kind === 2) return compressed(input, output, dynamic(input));
  throw damaged();
}

function stored(input: Input, output: Output): void {
  input.align();
  const [length, complement] = [input.bits(16), input.bits(16)];
  if (length + complement !== 0xffff) throw damaged();
  for (let i = 0; i < length; i++) output.push(input.bits(8));
}

/** A canonical Huffman code: the numbers of codes of each length, and the symbols in the order of their codes. */
interface Code {
  counts: number[];
  symbols: number[];
}

function code(lengths: readonly number[]): Code {
  const counts = new Array<number>(16).fill(0);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] as number) + 1;
  const used = lengths.map((length, symbol) => [length, symbol] as const).filter(([length]) => length > 0);
  return { counts, symbols: used.sort(([a, i], [b, j]) => a - b || i - j).map(([, symbol]) => symbol) };
}

/** Reads a symbol bit by bit: of each length, the codes are consecutive numbers. */
function symbol(input: Input, { counts, symbols }: Code): number {
  let [value, first, before] = [0, 0, 0];
  for (const count of counts.slice(1)) {
    value = 2 * value + input.bits(1);
    first *= 2;
    if (value - first < count) return symbols[before + value - first] as number;
    first += count;
    before += count;
  }
  throw damaged();
}

const run = (count: number, value: number) => new Array<number>(count).fill(value);
const FIXED = {
  literals: code([...run(144, 8), ...run(112, 9), ...run(24, 7), ...run(8, 8)]),
  distances: code(run(30, 5)),
};

/** The order in which the lengths of the code of code lengths come. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function dynamic(input: Input): typeof FIXED {
  const [literals, distances, coded] = [input.bits(5) + 257, input.bits(5) + 1, input.bits(4) + 4];
  const own = run(19, 0);
  for (const place of ORDER.slice(0, coded)) own[place] = input.bits(3);
  const ofLengths = code(own);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const next = symbol(input, ofLengths);
    if (next < 16) lengths.push(next);
    else if (next === 16) lengths.push(...run(3 + input.bits(2), lengths.at(-1) ?? 0));
    else lengths.push(...run(next === 17 ? 3 + input.bits(3) : 11 + input.bits(7), 0));
  }
  if (lengths.length > literals + distances) throw damaged();
  return { literals: code(lengths.slice(0, literals)), distances: code(lengths.slice(literals)) };
}

const END = 256;

function compressed(input: Input, output: Output, { literals, distances }: typeof FIXED): void {
  for (let next = symbol(input, literals); next !== END; next = symbol(input, literals)) {
    if (next < END) output.push(next);
    else {
      const length = lengthOf(next, input);
      output.copy(length, distanceOf(symbol(input, distances), input));
    }
  }
}

/** Lengths from 3 to 258: four symbols for each number of further bits. */
function lengthOf(next: number, input: Input): number {
  if (next === 285) return 258;
  const place = next - 257;
  if (place > 28) throw damaged();
  const more = place < 8 ? 0 : (place >> 2) - 1;
  return 3 + (place < 8 ? place : (4 + (place % 4)) * 2 ** more) + input.bits(more);
}

/** Distances from 1 to 32,768: two symbols for each number of further bits. */
function distanceOf(place: number, input: Input): number {
  if (place > 29) throw damaged();
  const more = place < 4 ? 0 : (place >> 1) - 1;
  return 1 + (place < 4 ? place : (2 + (place % 2)) * 2 ** more) + input.bits(more);
}
