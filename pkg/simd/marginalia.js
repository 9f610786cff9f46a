/* @ts-self-types="./marginalia.d.ts" */

/**
 * The counts of all cliques of a workload.
 */
export class Answers {
    static __wrap(ptr) {
        const obj = Object.create(Answers.prototype);
        obj.__wbg_ptr = ptr;
        AnswersFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        AnswersFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_answers_free(ptr, 0);
    }
    /**
     * A copy of some consecutive cells, counted over all cliques.
     * @param {number} from
     * @param {number} to
     * @returns {Float64Array}
     */
    block(from, to) {
        const ret = wasm.answers_block(this.__wbg_ptr, from, to);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The number of cells of all cliques; nothing where one is held sparse.
     * @returns {number | undefined}
     */
    cells() {
        const ret = wasm.answers_cells(this.__wbg_ptr);
        return ret[0] === 0 ? undefined : ret[1];
    }
    /**
     * How many numbers are held for clique `i`: of all its cells, or of those that occur.
     * @param {number} i
     * @returns {number}
     */
    held(i) {
        const ret = wasm.answers_held(this.__wbg_ptr, i);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] >>> 0;
    }
    /**
     * Of some of the numbers that are held for clique `i`, the cells of those that are not zero, and then as many counts.
     * @param {number} i
     * @param {number} from
     * @param {number} to
     * @returns {Float64Array}
     */
    nonzero(i, from, to) {
        const ret = wasm.answers_nonzero(this.__wbg_ptr, i, from, to);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * Where the cells of clique `i` begin and end among all; an error where they are too many to be handed out.
     * @param {number} i
     * @returns {Float64Array}
     */
    place(i) {
        const ret = wasm.answers_place(this.__wbg_ptr, i);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * Ranks pairs: for the `k` most informative ones; without `k`, for the tree with the highest total.
     * @param {number | null} [k]
     * @returns {RankJob}
     */
    rank(k) {
        const ret = wasm.answers_rank(this.__wbg_ptr, isLikeNone(k) ? Number.MAX_SAFE_INTEGER : (k) >>> 0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return RankJob.__wrap(ret[0]);
    }
}
if (Symbol.dispose) Answers.prototype[Symbol.dispose] = Answers.prototype.free;

/**
 * Looks for rows that do not fit a schema.
 */
export class CheckReader {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        CheckReaderFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_checkreader_free(ptr, 0);
    }
    /**
     * The number of records, and of those that hold line ends; then for each place how many records are wrong there, how many
     * are named, and those: records that are no rows, by reason, and for each attribute values outside and absent ones.
     * @returns {Float64Array}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.checkreader_finish(ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * A reader for the normal form of a schema, and options as JSON.
     * @param {string} schema
     * @param {string} options
     */
    constructor(schema, options) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.checkreader_new(ptr0, len0, ptr1, len1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        CheckReaderFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Reads a piece of the text.
     * @param {Uint8Array | number[]} bytes
     */
    push(bytes) {
        const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.checkreader_push(this.__wbg_ptr, ptr0, len0);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
}
if (Symbol.dispose) CheckReader.prototype[Symbol.dispose] = CheckReader.prototype.free;

/**
 * Reads columns of numbers into codes.
 */
export class ColumnReader {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ColumnReaderFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_columnreader_free(ptr, 0);
    }
    /**
     * The table.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.columnreader_finish(ptr);
        return Table.__wrap(ret);
    }
    /**
     * A reader for the normal form of a schema, options as JSON, and columns of these names.
     * @param {string} schema
     * @param {string} options
     * @param {string[]} names
     */
    constructor(schema, options, names) {
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArrayJsValueToWasm0(names, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__externref_drop_slice(ptr2, len2); wasm.__wbindgen_free(ptr2, len2 * 4, 4); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.columnreader_new(ptr0, len0, ptr1, len1, ptr2, len2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        ColumnReaderFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Reads the next rows: `rows` numbers of the first column, then of the second, and so on.
     * @param {Float64Array | number[]} numbers
     * @param {number} rows
     */
    push(numbers, rows) {
        const val2 = +rows;
        const ptr0 = passArrayF64ToWasm0(numbers, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.columnreader_push(this.__wbg_ptr, ptr0, len0, val2);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
}
if (Symbol.dispose) ColumnReader.prototype[Symbol.dispose] = ColumnReader.prototype.free;

/**
 * A count in the making.
 */
export class CountJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        CountJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_countjob_free(ptr, 0);
    }
    /**
     * The units done.
     * @returns {number}
     */
    done() {
        const ret = wasm.countjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The answers.
     * @returns {Answers}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.countjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Answers.__wrap(ret[0]);
    }
    /**
     * Plans the count of a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
     * @param {Table} table
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {number} limit
     */
    constructor(table, flat, starts, limit) {
        _assertClass(table, Table);
        const val3 = +limit;
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 2, 2); }
            throw e;
        }
        const ret = wasm.countjob_new(table.__wbg_ptr, ptr0, len0, ptr1, len1, val3);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        CountJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.countjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All units.
     * @returns {number}
     */
    total() {
        const ret = wasm.countjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) CountJob.prototype[Symbol.dispose] = CountJob.prototype.free;

/**
 * Finds the distinct rows of a table.
 */
export class DistinctJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        DistinctJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_distinctjob_free(ptr, 0);
    }
    /**
     * Rows read, and distinct rows copied so far.
     * @returns {number}
     */
    done() {
        const ret = wasm.distinctjob_done(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * The distinct rows.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.distinctjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * A job that has read no row yet.
     * @param {Table} table
     */
    constructor(table) {
        _assertClass(table, Table);
        const ret = wasm.distinctjob_new(table.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        DistinctJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Reads or copies about `rows` more rows; true at the end.
     * @param {number} rows
     * @returns {boolean}
     */
    step(rows) {
        const ret = wasm.distinctjob_step(this.__wbg_ptr, rows);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Rows to read and to copy, as far as they are known.
     * @returns {number}
     */
    total() {
        const ret = wasm.distinctjob_total(this.__wbg_ptr);
        return ret >>> 0;
    }
}
if (Symbol.dispose) DistinctJob.prototype[Symbol.dispose] = DistinctJob.prototype.free;

/**
 * What was measured: safe to publish.
 */
export class Measured {
    static __wrap(ptr) {
        const obj = Object.create(Measured.prototype);
        obj.__wbg_ptr = ptr;
        MeasuredFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        MeasuredFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_measured_free(ptr, 0);
    }
    /**
     * How many requests were answered.
     * @returns {number}
     */
    length() {
        const ret = wasm.measured_length(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Gives the values of request `i` away.
     * @param {number} i
     * @returns {Float64Array}
     */
    take(i) {
        const ret = wasm.measured_take(this.__wbg_ptr, i);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
}
if (Symbol.dispose) Measured.prototype[Symbol.dispose] = Measured.prototype.free;

/**
 * Measurements in the making.
 */
export class Measuring {
    static __wrap(ptr) {
        const obj = Object.create(Measuring.prototype);
        obj.__wbg_ptr = ptr;
        MeasuringFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        MeasuringFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_measuring_free(ptr, 0);
    }
    /**
     * Adds the noise.
     * @returns {Measured}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.measuring_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Measured.__wrap(ret[0]);
    }
    /**
     * Does about `work` units; true when the noise is next. How far it is depends on the rows, so nobody is told.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.measuring_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
}
if (Symbol.dispose) Measuring.prototype[Symbol.dispose] = Measuring.prototype.free;

/**
 * The counts of candidates, which nobody can read.
 */
export class Prepared {
    static __wrap(ptr) {
        const obj = Object.create(Prepared.prototype);
        obj.__wbg_ptr = ptr;
        PreparedFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PreparedFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_prepared_free(ptr, 0);
    }
}
if (Symbol.dispose) Prepared.prototype[Symbol.dispose] = Prepared.prototype.free;

/**
 * Counts in the making.
 */
export class Preparing {
    static __wrap(ptr) {
        const obj = Object.create(Preparing.prototype);
        obj.__wbg_ptr = ptr;
        PreparingFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PreparingFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_preparing_free(ptr, 0);
    }
    /**
     * The sealed counts.
     * @returns {Prepared}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.preparing_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Prepared.__wrap(ret[0]);
    }
    /**
     * Does about `work` units; true at the end. How far it is depends on the rows, so nobody is told.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.preparing_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
}
if (Symbol.dispose) Preparing.prototype[Symbol.dispose] = Preparing.prototype.free;

/**
 * Ranks the pairs of a workload that was counted by their mutual information.
 */
export class RankJob {
    static __wrap(ptr) {
        const obj = Object.create(RankJob.prototype);
        obj.__wbg_ptr = ptr;
        RankJobFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        RankJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_rankjob_free(ptr, 0);
    }
    /**
     * The units done.
     * @returns {number}
     */
    done() {
        const ret = wasm.rankjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The attributes of one pair after another.
     * @returns {Uint16Array}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.rankjob_finish(ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayU16FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 2, 2);
        return v1;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.rankjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All units.
     * @returns {number}
     */
    total() {
        const ret = wasm.rankjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) RankJob.prototype[Symbol.dispose] = RankJob.prototype.free;

/**
 * Reads private rows.
 */
export class SealedReader {
    static __wrap(ptr) {
        const obj = Object.create(SealedReader.prototype);
        obj.__wbg_ptr = ptr;
        SealedReaderFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        SealedReaderFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_sealedreader_free(ptr, 0);
    }
    /**
     * Reads a piece of the text.
     * @param {Uint8Array | number[]} bytes
     */
    push(bytes) {
        const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.sealedreader_push(this.__wbg_ptr, ptr0, len0);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
}
if (Symbol.dispose) SealedReader.prototype[Symbol.dispose] = SealedReader.prototype.free;

/**
 * A selection in the making.
 */
export class Selecting {
    static __wrap(ptr) {
        const obj = Object.create(Selecting.prototype);
        obj.__wbg_ptr = ptr;
        SelectingFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        SelectingFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_selecting_free(ptr, 0);
    }
    /**
     * The cells that are answered.
     * @returns {number}
     */
    done() {
        const ret = wasm.selecting_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * What is selected: the place of a cell among all cells, or of a marginal.
     * @returns {number}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.selecting_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Takes public answers to the next cells, in records, and what else is public of them.
     * @param {Float64Array | number[]} answers
     * @param {Float64Array | number[] | null} [penalties]
     * @param {Float64Array | number[] | null} [weights]
     * @param {Uint8Array | number[] | null} [mask]
     */
    push(answers, penalties, weights, mask) {
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
        try {
            ptr0 = passArrayF64ToWasm0(answers, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = isLikeNone(penalties) ? 0 : passArrayF64ToWasm0(penalties, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = isLikeNone(weights) ? 0 : passArrayF64ToWasm0(weights, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = isLikeNone(mask) ? 0 : passArray8ToWasm0(mask, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 8, 8); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 8, 8); }
            throw e;
        }
        const ret = wasm.selecting_push(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * All cells.
     * @returns {number}
     */
    total() {
        const ret = wasm.selecting_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) Selecting.prototype[Symbol.dispose] = Selecting.prototype.free;

/**
 * A table behind a handle.
 */
export class Table {
    static __wrap(ptr) {
        const obj = Object.create(Table.prototype);
        obj.__wbg_ptr = ptr;
        TableFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TableFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_table_free(ptr, 0);
    }
    /**
     * How many attributes there are, derived ones included.
     * @returns {number}
     */
    attributes() {
        const ret = wasm.table_attributes(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * A copy of the codes of an attribute, where they are wider than bytes.
     * @param {number} attribute
     * @returns {Uint16Array | undefined}
     */
    codes16(attribute) {
        const ret = wasm.table_codes16(this.__wbg_ptr, attribute);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        let v1;
        if (ret[0] !== 0) {
            v1 = getArrayU16FromWasm0(ret[0], ret[1]).slice();
            wasm.__wbindgen_free(ret[0], ret[1] * 2, 2);
        }
        return v1;
    }
    /**
     * A copy of the codes of an attribute, where they are bytes.
     * @param {number} attribute
     * @returns {Uint8Array | undefined}
     */
    codes8(attribute) {
        const ret = wasm.table_codes8(this.__wbg_ptr, attribute);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        let v1;
        if (ret[0] !== 0) {
            v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
            wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        }
        return v1;
    }
    /**
     * Where those of each row stand, unless every row has one.
     * @param {number} place
     * @returns {Uint32Array | undefined}
     */
    rawStarts(place) {
        const ret = wasm.table_rawStarts(this.__wbg_ptr, place);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        let v1;
        if (ret[0] !== 0) {
            v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
            wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        }
        return v1;
    }
    /**
     * The weights of those of a row up to each, unless all weigh the same.
     * @param {number} place
     * @returns {Float64Array | undefined}
     */
    rawSums(place) {
        const ret = wasm.table_rawSums(this.__wbg_ptr, place);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        let v1;
        if (ret[0] !== 0) {
            v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
            wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        }
        return v1;
    }
    /**
     * A copy of the raw numbers of the attribute at that place of [`Table::raw`].
     * @param {number} place
     * @returns {Float64Array}
     */
    rawValues(place) {
        const ret = wasm.table_rawValues(this.__wbg_ptr, place);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The attributes whose raw numbers are kept.
     * @returns {Uint32Array}
     */
    raw() {
        const ret = wasm.table_raw(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * Number of rows.
     * @returns {number}
     */
    rows() {
        const ret = wasm.table_rows(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * The normal form of the schema.
     * @returns {string}
     */
    schema() {
        let deferred1_0;
        let deferred1_1;
        try {
            const ret = wasm.table_schema(this.__wbg_ptr);
            deferred1_0 = ret[0];
            deferred1_1 = ret[1];
            return getStringFromWasm0(ret[0], ret[1]);
        } finally {
            wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * The same table behind another handle, for a call that takes it over.
     * @returns {Table}
     */
    share() {
        const ret = wasm.table_share(this.__wbg_ptr);
        return Table.__wrap(ret);
    }
    /**
     * Whether rows have weights.
     * @returns {boolean}
     */
    weighted() {
        const ret = wasm.table_weighted(this.__wbg_ptr);
        return ret !== 0;
    }
    /**
     * A copy of the weights.
     * @returns {Float64Array | undefined}
     */
    weights() {
        const ret = wasm.table_weights(this.__wbg_ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        let v1;
        if (ret[0] !== 0) {
            v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
            wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        }
        return v1;
    }
}
if (Symbol.dispose) Table.prototype[Symbol.dispose] = Table.prototype.free;

/**
 * A copy of a table in the making.
 */
export class TableCopy {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TableCopyFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_tablecopy_free(ptr, 0);
    }
    /**
     * The codes of the next attribute, where they are wider than bytes.
     * @param {Uint16Array | number[]} codes
     */
    codes16(codes) {
        const ptr0 = passArray16ToWasm0(codes, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.tablecopy_codes16(this.__wbg_ptr, ptr0, len0);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * The codes of the next attribute, where they are bytes.
     * @param {Uint8Array | number[]} codes
     */
    codes8(codes) {
        const ptr0 = passArray8ToWasm0(codes, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.tablecopy_codes8(this.__wbg_ptr, ptr0, len0);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * The table.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.tablecopy_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * Nothing yet of a table of so many rows.
     * @param {string} schema
     * @param {number} rows
     */
    constructor(schema, rows) {
        const val2 = +rows;
        const ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.tablecopy_new(ptr0, len0, val2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        TableCopyFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * The raw numbers of one more attribute, as they come out of a table.
     * @param {number} attribute
     * @param {Float64Array | number[]} values
     * @param {Uint32Array | number[] | null} [starts]
     * @param {Float64Array | number[] | null} [sums]
     */
    raw(attribute, values, starts, sums) {
        const val4 = +attribute;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = isLikeNone(starts) ? 0 : passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = isLikeNone(sums) ? 0 : passArrayF64ToWasm0(sums, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 8, 8); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 8, 8); }
            throw e;
        }
        const ret = wasm.tablecopy_raw(this.__wbg_ptr, val4, ptr0, len0, ptr1, len1, ptr2, len2);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * The weights of the rows.
     * @param {Float64Array | number[]} weights
     */
    weights(weights) {
        const ptr0 = passArrayF64ToWasm0(weights, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.tablecopy_weights(this.__wbg_ptr, ptr0, len0);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
}
if (Symbol.dispose) TableCopy.prototype[Symbol.dispose] = TableCopy.prototype.free;

/**
 * Reads text into codes.
 */
export class TableReader {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TableReaderFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_tablereader_free(ptr, 0);
    }
    /**
     * The table, when all of the text was pushed.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.tablereader_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * A reader for the normal form of a schema, and options as JSON.
     * @param {string} schema
     * @param {string} options
     */
    constructor(schema, options) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.tablereader_new(ptr0, len0, ptr1, len1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        TableReaderFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Reads a piece of the text.
     * @param {Uint8Array | number[]} bytes
     */
    push(bytes) {
        const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.tablereader_push(this.__wbg_ptr, ptr0, len0);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
}
if (Symbol.dispose) TableReader.prototype[Symbol.dispose] = TableReader.prototype.free;

/**
 * A table that is put together from codes.
 */
export class TableRestorer {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TableRestorerFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_tablerestorer_free(ptr, 0);
    }
    /**
     * The table.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.tablerestorer_finish(ptr);
        return Table.__wrap(ret);
    }
    /**
     * A table with weights and without rows, for the normal form of a schema.
     * @param {string} schema
     */
    constructor(schema) {
        const ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.tablerestorer_new(ptr0, len0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        TableRestorerFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Puts raw numbers beside the rows that are there.
     * @param {number} attribute
     * @param {Float64Array | number[]} numbers
     * @param {Uint32Array | number[]} counts
     * @param {Float64Array | number[]} sums
     */
    number(attribute, numbers, counts, sums) {
        const val4 = +attribute;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArrayF64ToWasm0(numbers, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray32ToWasm0(counts, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArrayF64ToWasm0(sums, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 8, 8); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 8, 8); }
            throw e;
        }
        const ret = wasm.tablerestorer_number(this.__wbg_ptr, val4, ptr0, len0, ptr1, len1, ptr2, len2);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Appends rows: the codes of one attribute after another, and a weight for each row.
     * @param {Uint16Array | number[]} codes
     * @param {Float64Array | number[]} weights
     */
    push(codes, weights) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray16ToWasm0(codes, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(weights, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 2, 2); }
            throw e;
        }
        const ret = wasm.tablerestorer_push(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
}
if (Symbol.dispose) TableRestorer.prototype[Symbol.dispose] = TableRestorer.prototype.free;

/**
 * Writes a table as CSV.
 */
export class TableWriter {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TableWriterFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_tablewriter_free(ptr, 0);
    }
    /**
     * The next rows; empty at the end.
     * @param {number} rows
     * @returns {Uint8Array}
     */
    block(rows) {
        const ret = wasm.tablewriter_block(this.__wbg_ptr, rows);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v1;
    }
    /**
     * The header line.
     * @returns {Uint8Array}
     */
    header() {
        const ret = wasm.tablewriter_header(this.__wbg_ptr);
        var v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v1;
    }
    /**
     * A writer for a table, and options as JSON.
     * @param {Table} table
     * @param {string} options
     */
    constructor(table, options) {
        _assertClass(table, Table);
        const ptr0 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.tablewriter_new(table.__wbg_ptr, ptr0, len0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        TableWriterFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Rows written so far.
     * @returns {number}
     */
    rows() {
        const ret = wasm.tablewriter_rows(this.__wbg_ptr);
        return ret >>> 0;
    }
}
if (Symbol.dispose) TableWriter.prototype[Symbol.dispose] = TableWriter.prototype.free;

/**
 * The public terms of marginals, each given once per marginal or not at all.
 */
export class Terms {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TermsFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_terms_free(ptr, 0);
    }
    /**
     * Factors, penalties in records, weights, and which take part (not 0).
     * @param {Uint32Array | number[] | null} [factors]
     * @param {Float64Array | number[] | null} [penalties]
     * @param {Float64Array | number[] | null} [weights]
     * @param {Uint8Array | number[] | null} [mask]
     */
    constructor(factors, penalties, weights, mask) {
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
        try {
            ptr0 = isLikeNone(factors) ? 0 : passArray32ToWasm0(factors, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = isLikeNone(penalties) ? 0 : passArrayF64ToWasm0(penalties, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = isLikeNone(weights) ? 0 : passArrayF64ToWasm0(weights, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = isLikeNone(mask) ? 0 : passArray8ToWasm0(mask, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 8, 8); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 4, 4); }
            throw e;
        }
        const ret = wasm.terms_new(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
        this.__wbg_ptr = ret;
        TermsFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
}
if (Symbol.dispose) Terms.prototype[Symbol.dispose] = Terms.prototype.free;

/**
 * A private table that may not be read yet, and the account that is charged for what it answers.
 */
export class Vault {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        VaultFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_vault_free(ptr, 0);
    }
    /**
     * Puts the rows in that a reader has read.
     * @param {SealedReader} reader
     */
    fill(reader) {
        _assertClass(reader, SealedReader);
        var ptr0 = reader.__destroy_into_raw();
        const ret = wasm.vault_fill(this.__wbg_ptr, ptr0);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Charges the account, of which `spent` was spent before by what the ledger says, and begins to measure in at
     * most `limit` bytes.
     * @param {string} requests
     * @param {string} spent
     * @param {number} limit
     * @returns {Measuring}
     */
    measure(requests, spent, limit) {
        const val3 = +limit;
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passStringToWasm0(requests, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(spent, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.vault_measure(this.__wbg_ptr, ptr0, len0, ptr1, len1, val3);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Measuring.__wrap(ret[0]);
    }
    /**
     * A vault for the normal form of a schema, and options as JSON.
     * @param {string} schema
     * @param {string} options
     */
    constructor(schema, options) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.vault_new(ptr0, len0, ptr1, len1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        VaultFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Begins to count the candidates of selections, in at most `limit` bytes: the cliques `flat[starts[i]..starts[i + 1]]`.
     * What was counted before is ready at once. `among`: some of their cells alone, by their places among all.
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {Uint32Array | number[] | null | undefined} among
     * @param {number} limit
     * @returns {Preparing}
     */
    prepare(flat, starts, among, limit) {
        const val4 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = isLikeNone(among) ? 0 : passArray32ToWasm0(among, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 4, 4); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 2, 2); }
            throw e;
        }
        const ret = wasm.vault_prepare(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Preparing.__wrap(ret[0]);
    }
    /**
     * What requests cost together, in the currency of the budget, as a fraction. Refused is here all that would be
     * refused when they are measured, in at most `limit` bytes, but for what is left of the budget.
     * @param {string} requests
     * @param {number} limit
     * @returns {string}
     */
    price(requests, limit) {
        let deferred4_0;
        let deferred4_1;
        try {
            const val2 = +limit;
            const ptr0 = passStringToWasm0(requests, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            const len0 = WASM_VECTOR_LEN;
            const ret = wasm.vault_price(this.__wbg_ptr, ptr0, len0, val2);
            var ptr3 = ret[0];
            var len3 = ret[1];
            if (ret[3]) {
                ptr3 = 0; len3 = 0;
                throw takeFromExternrefTable0(ret[2]);
            }
            deferred4_0 = ptr3;
            deferred4_1 = len3;
            return getStringFromWasm0(ptr3, len3);
        } finally {
            wasm.__wbindgen_free(deferred4_0, deferred4_1, 1);
        }
    }
    /**
     * A reader of the rows.
     * @returns {SealedReader}
     */
    reader() {
        const ret = wasm.vault_reader(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return SealedReader.__wrap(ret[0]);
    }
    /**
     * Charges the account, of which `spent` was spent before by what the ledger says, and begins to
     * select.
     * @param {Prepared} prepared
     * @param {string} choice
     * @param {Terms | null | undefined} terms
     * @param {string} spent
     * @returns {Selecting}
     */
    select(prepared, choice, terms, spent) {
        _assertClass(prepared, Prepared);
        let ptr0, len0, ptr1 = 0, ptr2, len2;
        try {
            ptr0 = passStringToWasm0(choice, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            if (!isLikeNone(terms)) {
                _assertClass(terms, Terms);
                ptr1 = terms.__destroy_into_raw();
            }
            ptr2 = passStringToWasm0(spent, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) wasm.__wbg_terms_free(ptr1, 1);
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.vault_select(this.__wbg_ptr, prepared.__wbg_ptr, ptr0, len0, ptr1, ptr2, len2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Selecting.__wrap(ret[0]);
    }
    /**
     * What a choice among the cells or marginals of a workload costs, in the currency of the budget, as a fraction.
     * Refused is here all that would be refused when it is made, in at most `limit` bytes, but for public numbers that make
     * no sense, and for what is left of the budget.
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {Uint32Array | number[] | null | undefined} among
     * @param {string} choice
     * @param {Terms | null | undefined} terms
     * @param {number} limit
     * @returns {string}
     */
    selectionPrice(flat, starts, among, choice, terms, limit) {
        let deferred8_0;
        let deferred8_1;
        try {
            const val6 = +limit;
            let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4 = 0;
            try {
                ptr0 = passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
                len0 = WASM_VECTOR_LEN;
                ptr1 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
                len1 = WASM_VECTOR_LEN;
                ptr2 = isLikeNone(among) ? 0 : passArray32ToWasm0(among, wasm.__wbindgen_malloc);
                len2 = WASM_VECTOR_LEN;
                ptr3 = passStringToWasm0(choice, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
                len3 = WASM_VECTOR_LEN;
                if (!isLikeNone(terms)) {
                    _assertClass(terms, Terms);
                    ptr4 = terms.__destroy_into_raw();
                }
            } catch (e) {
                if (ptr4) wasm.__wbg_terms_free(ptr4, 1);
                if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
                if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 4, 4); }
                if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
                if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 2, 2); }
                throw e;
            }
            const ret = wasm.vault_selectionPrice(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, val6);
            var ptr7 = ret[0];
            var len7 = ret[1];
            if (ret[3]) {
                ptr7 = 0; len7 = 0;
                throw takeFromExternrefTable0(ret[2]);
            }
            deferred8_0 = ptr7;
            deferred8_1 = len7;
            return getStringFromWasm0(ptr7, len7);
        } finally {
            wasm.__wbindgen_free(deferred8_0, deferred8_1, 1);
        }
    }
    /**
     * What was spent in all, as a fraction.
     * @returns {string}
     */
    spent() {
        let deferred1_0;
        let deferred1_1;
        try {
            const ret = wasm.vault_spent(this.__wbg_ptr);
            deferred1_0 = ret[0];
            deferred1_1 = ret[1];
            return getStringFromWasm0(ret[0], ret[1]);
        } finally {
            wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * The exact variance of the noise of each request.
     * @param {string} requests
     * @returns {Float64Array}
     */
    variances(requests) {
        const ptr0 = passStringToWasm0(requests, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.vault_variances(this.__wbg_ptr, ptr0, len0);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v2 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v2;
    }
}
if (Symbol.dispose) Vault.prototype[Symbol.dispose] = Vault.prototype.free;

/**
 * Begins a call whose memory nobody may be told of, and which may take so many bytes for private rows in all.
 * @param {number} most
 */
export function enterPrivate(most) {
    wasm.enterPrivate(most);
}

/**
 * Ends it.
 */
export function leavePrivate() {
    wasm.leavePrivate();
}

/**
 * The limit that is in force for these.
 * @returns {number}
 */
export function memoryLimit() {
    const ret = wasm.memoryLimit();
    return ret;
}

/**
 * The limit for private rows and everything else together: it depends on no rows.
 * @returns {number}
 */
export function memoryOfAll() {
    const ret = wasm.memoryOfAll();
    return ret;
}

/**
 * The bytes that are allocated in this module alone, without those for private rows.
 * @returns {number}
 */
export function memoryOwn() {
    const ret = wasm.memoryOwn();
    return ret;
}

/**
 * The bytes that are allocated now, here and beside, without those for private rows; within a private call, those alone.
 * @returns {number}
 */
export function memoryUsed() {
    const ret = wasm.memoryUsed();
    return ret;
}

/**
 * Tells the keys of this instance from those of others in the process, before and beside it.
 * @param {string} name
 */
export function nameInstance(name) {
    const ptr0 = passStringToWasm0(name, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
    const len0 = WASM_VECTOR_LEN;
    wasm.nameInstance(ptr0, len0);
}

/**
 * Says how many bytes the module beside this one holds: both share one limit.
 * @param {number} bytes
 */
export function setMemoryBeside(bytes) {
    wasm.setMemoryBeside(bytes);
}

/**
 * Sets the bytes beyond which large allocations fail with `OUT_OF_MEMORY`.
 * @param {number} bytes
 */
export function setMemoryLimit(bytes) {
    wasm.setMemoryLimit(bytes);
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg___wbindgen_string_get_7ce8eee7fd327545: function(arg0, arg1) {
            const obj = arg1;
            const ret = typeof(obj) === 'string' ? obj : undefined;
            var ptr1 = isLikeNone(ret) ? 0 : passStringToWasm0(ret, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            var len1 = WASM_VECTOR_LEN;
            getDataViewMemory0().setInt32((arg0 >>> 0) + 4 * 1, len1, true);
            getDataViewMemory0().setInt32((arg0 >>> 0) + 4 * 0, ptr1, true);
        },
        __wbg___wbindgen_throw_4c88d8bf264fd984: function(arg0, arg1) {
            throw new Error(getStringFromWasm0(arg0, arg1));
        },
        __wbg_fill_0bf178639acb6809: function(arg0, arg1) {
            arg0.fill(arg1);
        },
        __wbg_getRandomValues_d2b6028bce7fd618: function() { return handleError(function (arg0) {
            const ret = crypto.getRandomValues(arg0);
            return ret;
        }, arguments); },
        __wbg_get_d86fe1308d3e11a6: function(arg0, arg1) {
            const ret = arg0[arg1 >>> 0];
            return ret;
        },
        __wbg_new_da3ff36270f9ae30: function(arg0) {
            const ret = new Uint8Array(arg0 >>> 0);
            return ret;
        },
        __wbg_new_dffe1a8dcfdd4142: function() {
            const ret = new Object();
            return ret;
        },
        __wbg_set_c358ca324a3b7213: function(arg0, arg1, arg2, arg3, arg4) {
            arg0[getStringFromWasm0(arg1, arg2)] = getStringFromWasm0(arg3, arg4);
        },
        __wbindgen_init_externref_table: function() {
            const table = wasm.__wbindgen_externrefs;
            table.set(0, undefined);
            table.set(1024, undefined);
            table.set(1025, null);
            table.set(1026, true);
            table.set(1027, false);
        },
    };
    return {
        __proto__: null,
        "./marginalia_bg.js": import0,
    };
}

const AnswersFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_answers_free(ptr, 1));
const CheckReaderFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_checkreader_free(ptr, 1));
const ColumnReaderFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_columnreader_free(ptr, 1));
const CountJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_countjob_free(ptr, 1));
const DistinctJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_distinctjob_free(ptr, 1));
const MeasuredFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_measured_free(ptr, 1));
const MeasuringFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_measuring_free(ptr, 1));
const PreparedFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_prepared_free(ptr, 1));
const PreparingFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_preparing_free(ptr, 1));
const RankJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_rankjob_free(ptr, 1));
const SealedReaderFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_sealedreader_free(ptr, 1));
const SelectingFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_selecting_free(ptr, 1));
const TableFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_table_free(ptr, 1));
const TableCopyFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_tablecopy_free(ptr, 1));
const TableReaderFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_tablereader_free(ptr, 1));
const TableRestorerFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_tablerestorer_free(ptr, 1));
const TableWriterFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_tablewriter_free(ptr, 1));
const TermsFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_terms_free(ptr, 1));
const VaultFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_vault_free(ptr, 1));

function addToExternrefTable0(obj) {
    const idx = wasm.__externref_table_alloc();
    wasm.__wbindgen_externrefs.set(idx, obj);
    return idx;
}

function _assertClass(instance, klass) {
    if (!(instance instanceof klass)) {
        throw new Error(`expected instance of ${klass.name}`);
    }
}

function getArrayF64FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getFloat64ArrayMemory0().subarray(ptr / 8, ptr / 8 + len);
}

function getArrayU16FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint16ArrayMemory0().subarray(ptr / 2, ptr / 2 + len);
}

function getArrayU32FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
}

function getArrayU8FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint8ArrayMemory0().subarray(ptr / 1, ptr / 1 + len);
}

let cachedDataViewMemory0 = null;
function getDataViewMemory0() {
    if (cachedDataViewMemory0 === null || cachedDataViewMemory0.buffer.detached === true || (cachedDataViewMemory0.buffer.detached === undefined && cachedDataViewMemory0.buffer !== wasm.memory.buffer)) {
        cachedDataViewMemory0 = new DataView(wasm.memory.buffer);
    }
    return cachedDataViewMemory0;
}

let cachedFloat64ArrayMemory0 = null;
function getFloat64ArrayMemory0() {
    if (cachedFloat64ArrayMemory0 === null || cachedFloat64ArrayMemory0.byteLength === 0) {
        cachedFloat64ArrayMemory0 = new Float64Array(wasm.memory.buffer);
    }
    return cachedFloat64ArrayMemory0;
}

function getStringFromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return decodeText(getUint8ArrayMemory0().subarray(ptr, ptr + len));
}

let cachedUint16ArrayMemory0 = null;
function getUint16ArrayMemory0() {
    if (cachedUint16ArrayMemory0 === null || cachedUint16ArrayMemory0.byteLength === 0) {
        cachedUint16ArrayMemory0 = new Uint16Array(wasm.memory.buffer);
    }
    return cachedUint16ArrayMemory0;
}

let cachedUint32ArrayMemory0 = null;
function getUint32ArrayMemory0() {
    if (cachedUint32ArrayMemory0 === null || cachedUint32ArrayMemory0.byteLength === 0) {
        cachedUint32ArrayMemory0 = new Uint32Array(wasm.memory.buffer);
    }
    return cachedUint32ArrayMemory0;
}

let cachedUint8ArrayMemory0 = null;
function getUint8ArrayMemory0() {
    if (cachedUint8ArrayMemory0 === null || cachedUint8ArrayMemory0.byteLength === 0) {
        cachedUint8ArrayMemory0 = new Uint8Array(wasm.memory.buffer);
    }
    return cachedUint8ArrayMemory0;
}

function handleError(f, args) {
    try {
        return f.apply(this, args);
    } catch (e) {
        const idx = addToExternrefTable0(e);
        wasm.__wbindgen_exn_store(idx);
    }
}

function isLikeNone(x) {
    return x === undefined || x === null;
}

function passArray16ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 2, 2) >>> 0;
    getUint16ArrayMemory0().set(arg, ptr / 2);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passArray32ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 4, 4) >>> 0;
    getUint32ArrayMemory0().set(arg, ptr / 4);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passArray8ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 1, 1) >>> 0;
    getUint8ArrayMemory0().set(arg, ptr / 1);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passArrayF64ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 8, 8) >>> 0;
    getFloat64ArrayMemory0().set(arg, ptr / 8);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passArrayJsValueToWasm0(array, malloc) {
    const ptr = malloc(array.length * 4, 4) >>> 0;
    for (let i = 0; i < array.length; i++) {
        const add = addToExternrefTable0(array[i]);
        getDataViewMemory0().setUint32(ptr + 4 * i, add, true);
    }
    WASM_VECTOR_LEN = array.length;
    return ptr;
}

function passStringToWasm0(arg, malloc, realloc) {
    if (realloc === undefined) {
        const buf = cachedTextEncoder.encode(arg);
        const ptr = malloc(buf.length, 1) >>> 0;
        getUint8ArrayMemory0().subarray(ptr, ptr + buf.length).set(buf);
        WASM_VECTOR_LEN = buf.length;
        return ptr;
    }

    let len = arg.length;
    let ptr = malloc(len, 1) >>> 0;

    const mem = getUint8ArrayMemory0();

    let offset = 0;

    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
        ptr = realloc(ptr, len, len = offset + arg.length * 3, 1) >>> 0;
        const view = getUint8ArrayMemory0().subarray(ptr + offset, ptr + len);
        const ret = cachedTextEncoder.encodeInto(arg, view);

        offset += ret.written;
        ptr = realloc(ptr, len, offset, 1) >>> 0;
    }

    WASM_VECTOR_LEN = offset;
    return ptr;
}

function takeFromExternrefTable0(idx) {
    const value = wasm.__wbindgen_externrefs.get(idx);
    wasm.__externref_table_dealloc(idx);
    return value;
}

let cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
cachedTextDecoder.decode();
const MAX_SAFARI_DECODE_BYTES = 2146435072;
let numBytesDecoded = 0;
function decodeText(bytes) {
    numBytesDecoded += bytes.length;
    if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {
        cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
        cachedTextDecoder.decode();
        numBytesDecoded = bytes.length;
    }
    return cachedTextDecoder.decode(bytes);
}

const cachedTextEncoder = new TextEncoder();

if (!('encodeInto' in cachedTextEncoder)) {
    cachedTextEncoder.encodeInto = function (arg, view) {
        const buf = cachedTextEncoder.encode(arg);
        view.set(buf);
        return {
            read: arg.length,
            written: buf.length
        };
    };
}

let WASM_VECTOR_LEN = 0;

let wasmModule, wasmInstance, wasm;
function __wbg_finalize_init(instance, module) {
    wasmInstance = instance;
    wasm = instance.exports;
    wasmModule = module;
    cachedDataViewMemory0 = null;
    cachedFloat64ArrayMemory0 = null;
    cachedUint16ArrayMemory0 = null;
    cachedUint32ArrayMemory0 = null;
    cachedUint8ArrayMemory0 = null;
    wasm.__wbindgen_start();
    return wasm;
}

async function __wbg_load(module, imports) {
    if (typeof Response === 'function' && module instanceof Response) {
        if (!module.ok) {
            throw new Error(`failed to fetch Wasm: ${module.status} ${module.statusText} fetching '${module.url}'`);
        }

        if (typeof WebAssembly.instantiateStreaming === 'function') {
            try {
                return await WebAssembly.instantiateStreaming(module, imports);
            } catch (e) {
                const validResponse = expectedResponseType(module.type);

                if (validResponse && module.headers.get('Content-Type') !== 'application/wasm') {
                    console.warn("`WebAssembly.instantiateStreaming` failed because your server does not serve Wasm with `application/wasm` MIME type. Falling back to `WebAssembly.instantiate` which is slower. Original error:\n", e);

                } else { throw e; }
            }
        }

        const bytes = await module.arrayBuffer();
        return await WebAssembly.instantiate(bytes, imports);
    } else {
        const instance = await WebAssembly.instantiate(module, imports);

        if (instance instanceof WebAssembly.Instance) {
            return { instance, module };
        } else {
            return instance;
        }
    }

    function expectedResponseType(type) {
        switch (type) {
            case 'basic': case 'cors': case 'default': return true;
        }
        return false;
    }
}

function initSync(module) {
    if (wasm !== undefined) return wasm;


    if (module !== undefined) {
        if (Object.getPrototypeOf(module) === Object.prototype) {
            ({module} = module)
        } else {
            console.warn('using deprecated parameters for `initSync()`; pass a single object instead')
        }
    }

    const imports = __wbg_get_imports();
    if (!(module instanceof WebAssembly.Module)) {
        module = new WebAssembly.Module(module);
    }
    const instance = new WebAssembly.Instance(module, imports);
    return __wbg_finalize_init(instance, module);
}

let __wbg_init_promise;
async function __wbg_init(module_or_path) {
    if (wasm !== undefined) return wasm;
    if (__wbg_init_promise === undefined) {
        __wbg_init_promise = __wbg_init_once(module_or_path);
        __wbg_init_promise.catch(() => { __wbg_init_promise = undefined; });
    }
    return __wbg_init_promise;
}

async function __wbg_init_once(module_or_path) {

    if (module_or_path !== undefined) {
        if (Object.getPrototypeOf(module_or_path) === Object.prototype) {
            ({module_or_path} = module_or_path)
        } else {
            console.warn('using deprecated parameters for the initialization function; pass a single object instead')
        }
    }


    const imports = __wbg_get_imports();

    if (typeof module_or_path === 'string' || (typeof Request === 'function' && module_or_path instanceof Request) || (typeof URL === 'function' && module_or_path instanceof URL)) {
        module_or_path = fetch(module_or_path);
    }

    const { instance, module } = await __wbg_load(await module_or_path, imports);

    return __wbg_finalize_init(instance, module);
}

export { initSync, __wbg_init as default };
