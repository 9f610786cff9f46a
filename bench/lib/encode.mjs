// From the texts that a CSV parser gives to columns of codes, as a careful JavaScript programmer writes it:
// one Map and one typed array for each column, no objects for rows.

/** Encodes rows (arrays of texts) as they come; `columns` is complete after the last. */
export class Encoder {
  #codes;
  #row = 0;

  constructor(labels, rows) {
    this.#codes = labels.map((texts) => new Map(texts.map((text, code) => [text, code])));
    this.columns = labels.map(() => new Uint8Array(rows));
  }

  /** Encodes one row. */
  add(fields) {
    const row = this.#row++;
    const { columns } = this;
    for (let i = 0; i < columns.length; i++) {
      const code = this.#codes[i].get(fields[i]);
      if (code === undefined) throw new Error(`row ${row} has an undeclared value in column ${i}`);
      columns[i][row] = code;
    }
  }
}
