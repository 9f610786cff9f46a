import { type Measurement, type MeasurementJson, measurement } from "./measurement.js";
import { invalid } from "./options.js";

/**
 * Measurements in one piece: `MARGMEAS`, the version and the length of the header as u32, the header, the values. The
 * header is JSON, a list of measurements with `length` in the place of their values, filled up with spaces to a whole
 * multiple of eight bytes. Values are f64, one measurement after another. All numbers are little-endian.
 */
const MAGIC = /* @__PURE__ */ Uint8Array.from("MARGMEAS", (letter) => letter.charCodeAt(0));
const VERSION = 1;
const START = 16;

/** Measurements as bytes, from which {@link measurementsFromBytes} makes them again: compact, and exact. */
export function measurementsToBytes(list: readonly MeasurementJson[]): Uint8Array<ArrayBuffer> {
  const header = headerOf(list);
  const bytes = new Uint8Array(START + header.length + 8 * total(list));
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, header.length, true);
  bytes.set(header, START);
  let at = START + header.length;
  for (const { values } of list) {
    put(view, at, values);
    at += 8 * values.length;
  }
  return bytes;
}

/** Of a machine that has its numbers as they are written here; almost all do. */
const LITTLE = /* @__PURE__ */ new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function put(view: DataView<ArrayBuffer>, at: number, values: MeasurementJson["values"]): void {
  if (LITTLE) new Float64Array(view.buffer, at, values.length).set(values);
  else for (let i = 0; i < values.length; i++) view.setFloat64(at + 8 * i, values[i] as number, true);
}

/** Reads and checks measurements in bytes. Fails with MEASUREMENT_INVALID. */
export function measurementsFromBytes(bytes: Uint8Array): Measurement[] {
  if (bytes.length < START || !MAGIC.every((byte, i) => bytes[i] === byte))
    throw wrong("these bytes are no measurements: the text MARGMEAS does not stand at their beginning");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(8, true) !== VERSION)
    throw wrong("these measurements are of a version that is not known: update this package");
  const end = START + view.getUint32(12, true);
  const headers = parsed(bytes.subarray(START, end));
  const lengths = headers.map(({ length }) => length);
  if (!lengths.every((length) => Number.isSafeInteger(length) && length >= 0)) throw damaged();
  if (end + 8 * lengths.reduce((sum, length) => sum + length, 0) !== bytes.length) throw damaged();
  let at = end;
  return headers.map(({ length, ...header }) => {
    const values = new Float64Array(length);
    for (let i = 0; i < length; i++, at += 8) values[i] = view.getFloat64(at, true);
    return measurement({ ...header, values });
  });
}

/** The bytes that measurements will take, by all of them but their values. */
export function bytesOf(list: readonly MeasurementJson[]): number {
  return START + headerOf(list).length + 8 * total(list);
}

type Header = Omit<MeasurementJson, "values"> & { length: number };

function headerOf(list: readonly MeasurementJson[]): Uint8Array {
  const headers = list.map(({ version, clique, query, shape, noise, relation, cost, values }) => {
    const fields = { version, clique, query, shape, noise, relation, ...(cost ? { cost } : {}) };
    return { ...fields, length: values.length };
  });
  const text = new TextEncoder().encode(JSON.stringify(headers));
  const padded = new Uint8Array(8 * Math.ceil(text.length / 8)).fill(32);
  padded.set(text);
  return padded;
}

function parsed(bytes: Uint8Array): Header[] {
  try {
    const headers = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Header[];
    if (Array.isArray(headers) && headers.every((one) => typeof one === "object" && one !== null))
      return headers;
  } catch {
    // Said below.
  }
  throw damaged();
}

const total = (list: readonly MeasurementJson[]) => list.reduce((sum, { values }) => sum + values.length, 0);
const damaged = () => wrong("these measurements are damaged or cut short: take another copy");
const wrong = (message: string) => invalid(message, "MEASUREMENT_INVALID");
