/* @ts-self-types="./marginalia_model.d.ts" */

/**
 * The answering of a workload.
 */
export class AnswerJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        AnswerJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_answerjob_free(ptr, 0);
    }
    /**
     * The units done.
     * @returns {number}
     */
    done() {
        const ret = wasm.answerjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The answers.
     * @returns {Answers}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.answerjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Answers.__wrap(ret[0]);
    }
    /**
     * Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
     * @param {Model} model
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {number} limit
     */
    constructor(model, flat, starts, limit) {
        _assertClass(model, Model);
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
        const ret = wasm.answerjob_new(model.__wbg_ptr, ptr0, len0, ptr1, len1, val3);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        AnswerJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.answerjob_step(this.__wbg_ptr, work);
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
        const ret = wasm.answerjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) AnswerJob.prototype[Symbol.dispose] = AnswerJob.prototype.free;

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
 * Copies the rows of a public table without what tells groups apart.
 */
export class BlankingJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        BlankingJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_blankingjob_free(ptr, 0);
    }
    /**
     * Rows read.
     * @returns {number}
     */
    done() {
        const ret = wasm.blankingjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The rows.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.blankingjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * A job that takes about `most` rows.
     * @param {GroupPlan} plan
     * @param {Table} table
     * @param {number} most
     * @param {string} digits
     */
    constructor(plan, table, most, digits) {
        _assertClass(plan, GroupPlan);
        const val3 = +most;
        let ptr0, ptr1, len1;
        try {
            _assertClass(table, Table);
            ptr0 = table.__destroy_into_raw();
            ptr1 = passStringToWasm0(digits, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) wasm.__wbg_table_free(ptr0, 1);
            throw e;
        }
        const ret = wasm.blankingjob_new(plan.__wbg_ptr, ptr0, val3, ptr1, len1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        BlankingJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.blankingjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Rows to read.
     * @returns {number}
     */
    total() {
        const ret = wasm.blankingjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) BlankingJob.prototype[Symbol.dispose] = BlankingJob.prototype.free;

/**
 * Makes candidates from a public table, and simulates each on a prior.
 */
export class DesignJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        DesignJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_designjob_free(ptr, 0);
    }
    /**
     * Estimates done.
     * @returns {number}
     */
    done() {
        const ret = wasm.designjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The chosen candidate, the score of the prior as it is with its standard error, and of each candidate: its
     * family, the size of that, the power of cells, the score, its standard error, the draws, whether it is close to
     * the chosen one, and its cliques, each after its length.
     * @returns {Float64Array}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.designjob_finish(ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * A job over a public table and a prior that was made of it, with options as JSON.
     * @param {Table} table
     * @param {Table} prior
     * @param {string} options
     */
    constructor(table, prior, options) {
        let ptr0, ptr1, ptr2, len2;
        try {
            _assertClass(table, Table);
            ptr0 = table.__destroy_into_raw();
            _assertClass(prior, Table);
            ptr1 = prior.__destroy_into_raw();
            ptr2 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) wasm.__wbg_table_free(ptr1, 1);
            if (ptr0) wasm.__wbg_table_free(ptr0, 1);
            throw e;
        }
        const ret = wasm.designjob_new(ptr0, ptr1, ptr2, len2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        DesignJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.designjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Estimates in all.
     * @returns {number}
     */
    total() {
        const ret = wasm.designjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) DesignJob.prototype[Symbol.dispose] = DesignJob.prototype.free;

/**
 * An estimation in the making.
 */
export class EstimateJob {
    static __wrap(ptr) {
        const obj = Object.create(EstimateJob.prototype);
        obj.__wbg_ptr = ptr;
        EstimateJobFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        EstimateJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_estimatejob_free(ptr, 0);
    }
    /**
     * A calibrated estimation: measurements and options as JSON, and the values of one measurement after another.
     * The cells of rows are kept in at most `limit` bytes.
     * @param {PriorBase} prior
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     * @returns {EstimateJob}
     */
    static calibrated(prior, measurements, values, options, limit) {
        _assertClass(prior, PriorBase);
        const val4 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passStringToWasm0(measurements, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.estimatejob_calibrated(prior.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return EstimateJob.__wrap(ret[0]);
    }
    /**
     * The units done; how many there are is not known.
     * @returns {number}
     */
    done() {
        const ret = wasm.estimatejob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The best model so far.
     * @returns {Estimated}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.estimatejob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Estimated.__wrap(ret[0]);
    }
    /**
     * An iterative estimation from a model, which may be the prior itself.
     * @param {Model} start
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     * @returns {EstimateJob}
     */
    static iterative(start, measurements, values, options, limit) {
        _assertClass(start, Model);
        const val4 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passStringToWasm0(measurements, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.estimatejob_iterative(start.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return EstimateJob.__wrap(ret[0]);
    }
    /**
     * How many judgements there are.
     * @returns {number}
     */
    judgements() {
        const ret = wasm.estimatejob_judgements(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.estimatejob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
}
if (Symbol.dispose) EstimateJob.prototype[Symbol.dispose] = EstimateJob.prototype.free;

/**
 * What came of an estimation.
 */
export class Estimated {
    static __wrap(ptr) {
        const obj = Object.create(Estimated.prototype);
        obj.__wbg_ptr = ptr;
        EstimatedFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        EstimatedFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_estimated_free(ptr, 0);
    }
    /**
     * The total and its variance, the strength, the consistency, and the gap, the relative gap, the value, the bound
     * and the entropy of the certificate, and the flatness; NaN for what there is not.
     * @returns {Float64Array}
     */
    figures() {
        const ret = wasm.estimated_figures(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * For each measurement the number of answers that no row can meet, and their sum.
     * @returns {Float64Array}
     */
    missing() {
        const ret = wasm.estimated_missing(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The model.
     * @returns {Model}
     */
    model() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.estimated_model(ptr);
        return Model.__wrap(ret);
    }
    /**
     * How it ended.
     * @returns {string}
     */
    status() {
        let deferred1_0;
        let deferred1_1;
        try {
            const ret = wasm.estimated_status(this.__wbg_ptr);
            deferred1_0 = ret[0];
            deferred1_1 = ret[1];
            return getStringFromWasm0(ret[0], ret[1]);
        } finally {
            wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * The judgements: where, the value, the gap, the entropy.
     * @returns {Float64Array}
     */
    trace() {
        const ret = wasm.estimated_trace(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
}
if (Symbol.dispose) Estimated.prototype[Symbol.dispose] = Estimated.prototype.free;

/**
 * The making of all rows that a schema allows, in the order of their codes.
 */
export class FullTableJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        FullTableJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_fulltablejob_free(ptr, 0);
    }
    /**
     * Rows made.
     * @returns {number}
     */
    done() {
        const ret = wasm.fulltablejob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The rows.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.fulltablejob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * All rows of a schema, in at most `limit` bytes.
     * @param {string} schema
     * @param {number} limit
     */
    constructor(schema, limit) {
        const val2 = +limit;
        const ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.fulltablejob_new(ptr0, len0, val2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        FullTableJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Makes about `rows` more rows; true at the end.
     * @param {number} rows
     * @returns {boolean}
     */
    step(rows) {
        const ret = wasm.fulltablejob_step(this.__wbg_ptr, rows);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All rows.
     * @returns {number}
     */
    total() {
        const ret = wasm.fulltablejob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) FullTableJob.prototype[Symbol.dispose] = FullTableJob.prototype.free;

/**
 * The answering of a workload of some groups together.
 */
export class GroupAnswerJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupAnswerJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_groupanswerjob_free(ptr, 0);
    }
    /**
     * Groups answered.
     * @returns {number}
     */
    done() {
        const ret = wasm.groupanswerjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The answers.
     * @returns {Answers}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.groupanswerjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Answers.__wrap(ret[0]);
    }
    /**
     * Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes: the sum of
     * what groups of the last level have.
     * @param {Groups} groups
     * @param {Uint32Array | number[]} places
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {number} limit
     */
    constructor(groups, places, flat, starts, limit) {
        _assertClass(groups, Groups);
        const val4 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray32ToWasm0(places, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 4, 4); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 2, 2); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 4, 4); }
            throw e;
        }
        const ret = wasm.groupanswerjob_new(groups.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        GroupAnswerJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.groupanswerjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All groups.
     * @returns {number}
     */
    total() {
        const ret = wasm.groupanswerjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) GroupAnswerJob.prototype[Symbol.dispose] = GroupAnswerJob.prototype.free;

/**
 * The making of one group's distribution.
 */
export class GroupModelJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupModelJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_groupmodeljob_free(ptr, 0);
    }
    /**
     * The units done.
     * @returns {number}
     */
    done() {
        const ret = wasm.groupmodeljob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The distribution.
     * @returns {Model}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.groupmodeljob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Model.__wrap(ret[0]);
    }
    /**
     * A job for a group of the last level.
     * @param {Groups} groups
     * @param {number} group
     */
    constructor(groups, group) {
        _assertClass(groups, Groups);
        const ret = wasm.groupmodeljob_new(groups.__wbg_ptr, group);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        GroupModelJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.groupmodeljob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Not known.
     * @returns {number}
     */
    total() {
        const ret = wasm.groupmodeljob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) GroupModelJob.prototype[Symbol.dispose] = GroupModelJob.prototype.free;

/**
 * The working out of which part of each group meets a condition.
 */
export class GroupPartsJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupPartsJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_grouppartsjob_free(ptr, 0);
    }
    /**
     * Groups done.
     * @returns {number}
     */
    done() {
        const ret = wasm.grouppartsjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The share of each group.
     * @returns {Float64Array}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.grouppartsjob_finish(ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * A job for groups at these places, and a condition on attributes that are none of groups.
     * @param {Groups} groups
     * @param {Uint32Array | number[]} places
     * @param {Uint16Array | number[]} attributes
     * @param {Uint8Array | number[]} allowed
     */
    constructor(groups, places, attributes, allowed) {
        _assertClass(groups, Groups);
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray32ToWasm0(places, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray16ToWasm0(attributes, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray8ToWasm0(allowed, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 2, 2); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 4, 4); }
            throw e;
        }
        const ret = wasm.grouppartsjob_new(groups.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        GroupPartsJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.grouppartsjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All groups.
     * @returns {number}
     */
    total() {
        const ret = wasm.grouppartsjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) GroupPartsJob.prototype[Symbol.dispose] = GroupPartsJob.prototype.free;

/**
 * The declared groups of a schema.
 */
export class GroupPlan {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupPlanFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_groupplan_free(ptr, 0);
    }
    /**
     * How many records what a group lies within is worth as its prior, for each level: by public counts, the cliques of
     * each level as JSON and the values of one after another.
     * @param {string} counts
     * @param {Float64Array | number[]} values
     * @returns {Float64Array}
     */
    between(counts, values) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passStringToWasm0(counts, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.groupplan_between(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v3 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v3;
    }
    /**
     * Of each group its level, the group that it lies within (−1 for none), and its codes of the attributes of its
     * level.
     * @returns {Float64Array}
     */
    groups() {
        const ret = wasm.groupplan_groups(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The groups of a chain of levels, each a list of attributes; `declared` says what follows from those of the last.
     * @param {string} schema
     * @param {string} levels
     * @param {string} declared
     */
    constructor(schema, levels, declared) {
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(levels, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passStringToWasm0(declared, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.groupplan_new(ptr0, len0, ptr1, len1, ptr2, len2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        GroupPlanFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
}
if (Symbol.dispose) GroupPlan.prototype[Symbol.dispose] = GroupPlan.prototype.free;

/**
 * Groups that were estimated.
 */
export class Groups {
    static __wrap(ptr) {
        const obj = Object.create(Groups.prototype);
        obj.__wbg_ptr = ptr;
        GroupsFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupsFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_groups_free(ptr, 0);
    }
    /**
     * Of each level the factor of the strengths of its priors, and by how many standard errors its answers contradicted
     * them; not numbers where nobody asked these.
     * @returns {Float64Array}
     */
    judged() {
        const ret = wasm.groups_judged(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * Of each level how many potentials the prior of a group has, and the group itself.
     * @returns {Uint32Array}
     */
    lengths() {
        const ret = wasm.groups_lengths(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * How many levels there are.
     * @returns {number}
     */
    levels() {
        const ret = wasm.groups_levels(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * The potentials of so many groups from one on: of each those of its prior and then its own.
     * @param {number} first
     * @param {number} groups
     * @returns {Float64Array}
     */
    numbers(first, groups) {
        const ret = wasm.groups_numbers(this.__wbg_ptr, first, groups);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The rows that groups share.
     * @returns {number}
     */
    rows() {
        const ret = wasm.groups_rows(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Of each group how many steps of Algorithm 1 make it again; 0 where it has potentials.
     * @returns {Float64Array}
     */
    steps() {
        const ret = wasm.groups_steps(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
}
if (Symbol.dispose) Groups.prototype[Symbol.dispose] = Groups.prototype.free;

/**
 * The estimation of all groups.
 */
export class GroupsJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupsJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_groupsjob_free(ptr, 0);
    }
    /**
     * Groups done.
     * @returns {number}
     */
    done() {
        const ret = wasm.groupsjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The groups.
     * @returns {Groups}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.groupsjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Groups.__wrap(ret[0]);
    }
    /**
     * Measurements of each level, then its public counts, as JSON, and the values of one after another. The cells of
     * rows are kept in at most `limit` bytes.
     * @param {SharedRows} shared
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     */
    constructor(shared, values, options, limit) {
        _assertClass(shared, SharedRows);
        const val3 = +limit;
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 8, 8); }
            throw e;
        }
        const ret = wasm.groupsjob_new(shared.__wbg_ptr, ptr0, len0, ptr1, len1, val3);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        GroupsJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.groupsjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Of each group that was finished since this was last asked: its place, how it ended (0 converged, 1 limit,
     * 2 refused), its relative gap, the relative entropy to its prior, its total with the variance, what it is worth as a
     * prior, and the records that its answers have where no row is.
     * @returns {Float64Array}
     */
    take() {
        const ret = wasm.groupsjob_take(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * All groups.
     * @returns {number}
     */
    total() {
        const ret = wasm.groupsjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) GroupsJob.prototype[Symbol.dispose] = GroupsJob.prototype.free;

/**
 * Makes records of groups, so many of each.
 */
export class GroupsRecordsJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupsRecordsJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_groupsrecordsjob_free(ptr, 0);
    }
    /**
     * Thousandths done.
     * @returns {number}
     */
    done() {
        const ret = wasm.groupsrecordsjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The records.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.groupsrecordsjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * A job for groups at these places, each with a number of records. `flat` and `starts` are the tables that controlled
     * rounding keeps in each, `digits` the seed.
     * @param {Groups} groups
     * @param {Float64Array | number[]} wanted
     * @param {string} method
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {string} digits
     */
    constructor(groups, wanted, method, flat, starts, digits) {
        _assertClass(groups, Groups);
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4;
        try {
            ptr0 = passArrayF64ToWasm0(wanted, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(method, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
            ptr4 = passStringToWasm0(digits, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len4 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr4) { wasm.__wbindgen_free(ptr4, len4 * 1, 1); }
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 4, 4); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 2, 2); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 8, 8); }
            throw e;
        }
        const ret = wasm.groupsrecordsjob_new(groups.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        GroupsRecordsJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.groupsrecordsjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All thousandths.
     * @returns {number}
     */
    total() {
        const ret = wasm.groupsrecordsjob_total(this.__wbg_ptr);
        return ret;
    }
    /**
     * Makes only records that meet a condition, on attributes that are none of groups.
     * @param {Uint16Array | number[]} attributes
     * @param {Uint8Array | number[]} allowed
     */
    within(attributes, allowed) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray16ToWasm0(attributes, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(allowed, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 2, 2); }
            throw e;
        }
        const ret = wasm.groupsrecordsjob_within(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
}
if (Symbol.dispose) GroupsRecordsJob.prototype[Symbol.dispose] = GroupsRecordsJob.prototype.free;

/**
 * Groups that are put together again: the cells of rows in steps, and then group after group.
 */
export class GroupsRestorer {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupsRestorerFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_groupsrestorer_free(ptr, 0);
    }
    /**
     * All groups, when all were taken.
     * @returns {Groups}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.groupsrestorer_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Groups.__wrap(ret[0]);
    }
    /**
     * Measurements of each level as JSON, and the values of one after another. The cells of rows are kept in at most
     * `limit` bytes.
     * @param {SharedRows} shared
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     */
    constructor(shared, values, options, limit) {
        _assertClass(shared, SharedRows);
        const val3 = +limit;
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 8, 8); }
            throw e;
        }
        const ret = wasm.groupsrestorer_new(shared.__wbg_ptr, ptr0, len0, ptr1, len1, val3);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        GroupsRestorerFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * How many numbers the next groups have.
     * @param {number} groups
     * @returns {number}
     */
    numbers(groups) {
        const ret = wasm.groupsrestorer_numbers(this.__wbg_ptr, groups);
        return ret >>> 0;
    }
    /**
     * Takes the next groups: of each its total, the variance, what it is worth and its steps, and their numbers one after
     * another.
     * @param {Float64Array | number[]} figures
     * @param {Float64Array | number[]} numbers
     */
    push(figures, numbers) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArrayF64ToWasm0(figures, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(numbers, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 8, 8); }
            throw e;
        }
        const ret = wasm.groupsrestorer_push(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Does about `work` units; true when groups come next.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.groupsrestorer_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
}
if (Symbol.dispose) GroupsRestorer.prototype[Symbol.dispose] = GroupsRestorer.prototype.free;

/**
 * The working out of standard errors of groups.
 */
export class GroupsSpreadJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        GroupsSpreadJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_groupsspreadjob_free(ptr, 0);
    }
    /**
     * The answers done.
     * @returns {number}
     */
    done() {
        const ret = wasm.groupsspreadjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * For each answer the variance by the noise, and by what is left open.
     * @returns {Float64Array}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.groupsspreadjob_finish(ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The errors of what groups answer together: the measurements of each level as JSON and the values of one after
     * another, and as JSON the places of the groups, how totals were found, the questions and, for shares, the records that
     * they are parts of. `shares` are the answers then. `attributes` and `allowed` say which records are asked about.
     * @param {Groups} groups
     * @param {string} levels
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {Float64Array | number[]} shares
     * @param {Uint16Array | number[]} attributes
     * @param {Uint8Array | number[]} allowed
     */
    constructor(groups, levels, values, options, shares, attributes, allowed) {
        _assertClass(groups, Groups);
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, ptr5, len5;
        try {
            ptr0 = passStringToWasm0(levels, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passArrayF64ToWasm0(shares, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
            ptr4 = passArray16ToWasm0(attributes, wasm.__wbindgen_malloc);
            len4 = WASM_VECTOR_LEN;
            ptr5 = passArray8ToWasm0(allowed, wasm.__wbindgen_malloc);
            len5 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr5) { wasm.__wbindgen_free(ptr5, len5 * 1, 1); }
            if (ptr4) { wasm.__wbindgen_free(ptr4, len4 * 2, 2); }
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 8, 8); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.groupsspreadjob_new(groups.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, ptr5, len5);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        GroupsSpreadJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.groupsspreadjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All answers.
     * @returns {number}
     */
    total() {
        const ret = wasm.groupsspreadjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) GroupsSpreadJob.prototype[Symbol.dispose] = GroupsSpreadJob.prototype.free;

/**
 * A computation, and how its outcome becomes a value of JavaScript.
 */
export class Job {
    static __wrap(ptr) {
        const obj = Object.create(Job.prototype);
        obj.__wbg_ptr = ptr;
        JobFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        JobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_job_free(ptr, 0);
    }
    /**
     * What is done, of the total.
     * @returns {number}
     */
    done() {
        const ret = wasm.job_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The outcome.
     * @returns {any}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.job_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.job_step(this.__wbg_ptr, work);
        return ret !== 0;
    }
    /**
     * What there is to do; 0 where nobody knows.
     * @returns {number}
     */
    total() {
        const ret = wasm.job_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) Job.prototype[Symbol.dispose] = Job.prototype.free;

/**
 * The mixing of priors, and then the merging of rows that several of them have.
 */
export class MixingJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        MixingJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_mixingjob_free(ptr, 0);
    }
    /**
     * Adds a prior with its share.
     * @param {PriorBase} prior
     * @param {number} share
     */
    add(prior, share) {
        _assertClass(prior, PriorBase);
        const ret = wasm.mixingjob_add(this.__wbg_ptr, prior.__wbg_ptr, share);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Rows copied, merged and copied again.
     * @returns {number}
     */
    done() {
        const ret = wasm.mixingjob_done(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * The prior.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.mixingjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * Nothing to mix yet, over a schema.
     * @param {PriorBase} first
     */
    constructor(first) {
        _assertClass(first, PriorBase);
        const ret = wasm.mixingjob_new(first.__wbg_ptr);
        this.__wbg_ptr = ret;
        MixingJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Copies or merges about `rows` more rows; true at the end.
     * @param {number} rows
     * @returns {boolean}
     */
    step(rows) {
        const ret = wasm.mixingjob_step(this.__wbg_ptr, rows);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * At most so many.
     * @returns {number}
     */
    total() {
        const ret = wasm.mixingjob_total(this.__wbg_ptr);
        return ret >>> 0;
    }
}
if (Symbol.dispose) MixingJob.prototype[Symbol.dispose] = MixingJob.prototype.free;

/**
 * A distribution on the rows of a prior, behind a handle.
 */
export class Model {
    static __wrap(ptr) {
        const obj = Object.create(Model.prototype);
        obj.__wbg_ptr = ptr;
        ModelFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ModelFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_model_free(ptr, 0);
    }
    /**
     * How many of the prior's `records` the model effectively rests on.
     * @param {number} records
     * @returns {number}
     */
    effectiveSize(records) {
        const ret = wasm.model_effectiveSize(this.__wbg_ptr, records);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * The prior itself, standing for `total` records.
     * @param {PriorBase} prior
     * @param {number} total
     * @returns {Model}
     */
    static ofPrior(prior, total) {
        _assertClass(prior, PriorBase);
        const ret = wasm.model_ofPrior(prior.__wbg_ptr, total);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Model.__wrap(ret[0]);
    }
    /**
     * Relative entropy to the prior, in nats.
     * @returns {number}
     */
    relativeEntropy() {
        const ret = wasm.model_relativeEntropy(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * The number of rows.
     * @returns {number}
     */
    rows() {
        const ret = wasm.model_rows(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * The rows as a table, weighted by the records that the model gives to each.
     * @returns {Table}
     */
    table() {
        const ret = wasm.model_table(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * What each row gets; the sum is 1.
     * @returns {Float64Array}
     */
    weights() {
        const ret = wasm.model_weights(this.__wbg_ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
}
if (Symbol.dispose) Model.prototype[Symbol.dispose] = Model.prototype.free;

/**
 * A model that is put together again.
 */
export class ModelRestorer {
    static __wrap(ptr) {
        const obj = Object.create(ModelRestorer.prototype);
        obj.__wbg_ptr = ptr;
        ModelRestorerFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ModelRestorerFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_modelrestorer_free(ptr, 0);
    }
    /**
     * The units done.
     * @returns {number}
     */
    done() {
        const ret = wasm.modelrestorer_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The model.
     * @returns {Model}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.modelrestorer_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Model.__wrap(ret[0]);
    }
    /**
     * From potentials. The cells of rows are kept in at most `limit` bytes.
     * @param {PriorBase} prior
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {Float64Array | number[]} values
     * @param {number} total
     * @param {number} limit
     * @returns {ModelRestorer}
     */
    static potentials(prior, flat, starts, values, total, limit) {
        _assertClass(prior, PriorBase);
        const val4 = +total;
        const val5 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 8, 8); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 2, 2); }
            throw e;
        }
        const ret = wasm.modelrestorer_potentials(prior.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4, val5);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ModelRestorer.__wrap(ret[0]);
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.modelrestorer_step(this.__wbg_ptr, work);
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
        const ret = wasm.modelrestorer_total(this.__wbg_ptr);
        return ret;
    }
    /**
     * From a weight for each row of a prior.
     * @param {PriorBase} prior
     * @param {Float64Array | number[]} weights
     * @param {number} total
     * @returns {ModelRestorer}
     */
    static weights(prior, weights, total) {
        _assertClass(prior, PriorBase);
        const val2 = +total;
        const ptr0 = passArrayF64ToWasm0(weights, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.modelrestorer_weights(prior.__wbg_ptr, ptr0, len0, val2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ModelRestorer.__wrap(ret[0]);
    }
}
if (Symbol.dispose) ModelRestorer.prototype[Symbol.dispose] = ModelRestorer.prototype.free;

/**
 * Pools a public table over a group attribute.
 */
export class PoolingJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PoolingJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_poolingjob_free(ptr, 0);
    }
    /**
     * The share of the pooled weights.
     * @returns {number}
     */
    alpha() {
        const ret = wasm.poolingjob_alpha(this.__wbg_ptr);
        return ret;
    }
    /**
     * Estimates done.
     * @returns {number}
     */
    done() {
        const ret = wasm.poolingjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * Rows in all groups with their weights.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.poolingjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * A job over a public table, with options as JSON.
     * @param {Table} table
     * @param {string} options
     */
    constructor(table, options) {
        let ptr0, ptr1, len1;
        try {
            _assertClass(table, Table);
            ptr0 = table.__destroy_into_raw();
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) wasm.__wbg_table_free(ptr0, 1);
            throw e;
        }
        const ret = wasm.poolingjob_new(ptr0, ptr1, len1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        PoolingJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.poolingjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Estimates in all.
     * @returns {number}
     */
    total() {
        const ret = wasm.poolingjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) PoolingJob.prototype[Symbol.dispose] = PoolingJob.prototype.free;

/**
 * What a model is given by, where that is less than its weights.
 */
export class Potentials {
    static __wrap(ptr) {
        const obj = Object.create(Potentials.prototype);
        obj.__wbg_ptr = ptr;
        PotentialsFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PotentialsFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_potentials_free(ptr, 0);
    }
    /**
     * The attributes of one clique after another.
     * @returns {Uint16Array}
     */
    flat() {
        const ret = wasm.potentials_flat(this.__wbg_ptr);
        var v1 = getArrayU16FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 2, 2);
        return v1;
    }
    /**
     * Those of a model; nothing where it is given by weights.
     * @param {Model} model
     * @returns {Potentials | undefined}
     */
    static of(model) {
        _assertClass(model, Model);
        const ret = wasm.potentials_of(model.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] === 0 ? undefined : Potentials.__wrap(ret[0]);
    }
    /**
     * Where each clique begins, and where the last one ends.
     * @returns {Uint32Array}
     */
    starts() {
        const ret = wasm.potentials_starts(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * A number for each cell of each clique that a row lies in.
     * @returns {Float64Array}
     */
    values() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.potentials_values(ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
}
if (Symbol.dispose) Potentials.prototype[Symbol.dispose] = Potentials.prototype.free;

/**
 * A prior behind a handle: its rows, and what it gives to each.
 */
export class PriorBase {
    static __wrap(ptr) {
        const obj = Object.create(PriorBase.prototype);
        obj.__wbg_ptr = ptr;
        PriorBaseFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PriorBaseFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_priorbase_free(ptr, 0);
    }
    /**
     * The rows of a table, best its distinct ones, with their weights.
     * @param {Table} table
     */
    constructor(table) {
        _assertClass(table, Table);
        var ptr0 = table.__destroy_into_raw();
        const ret = wasm.priorbase_new(ptr0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        PriorBaseFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * The number of rows of positive weight.
     * @returns {number}
     */
    rows() {
        const ret = wasm.priorbase_rows(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Its rows with their shares.
     * @returns {Table}
     */
    table() {
        const ret = wasm.priorbase_table(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * The same weight for each of the rows of a table, which must be distinct.
     * @param {Table} table
     * @returns {PriorBase}
     */
    static uniformOn(table) {
        _assertClass(table, Table);
        var ptr0 = table.__destroy_into_raw();
        const ret = wasm.priorbase_uniformOn(ptr0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return PriorBase.__wrap(ret[0]);
    }
    /**
     * The sum of their weights.
     * @returns {number}
     */
    weight() {
        const ret = wasm.priorbase_weight(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) PriorBase.prototype[Symbol.dispose] = PriorBase.prototype.free;

/**
 * Makes the rows of a public table distinct, without those that are denied, and draws more from its network.
 */
export class PriorJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PriorJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_priorjob_free(ptr, 0);
    }
    /**
     * Thousandths done.
     * @returns {number}
     */
    done() {
        const ret = wasm.priorjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * Distinct rows with their weights.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.priorjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * A job over a public table, with options as JSON.
     * @param {Table} table
     * @param {string} options
     */
    constructor(table, options) {
        let ptr0, ptr1, len1;
        try {
            _assertClass(table, Table);
            ptr0 = table.__destroy_into_raw();
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) wasm.__wbg_table_free(ptr0, 1);
            throw e;
        }
        const ret = wasm.priorjob_new(ptr0, ptr1, len1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        PriorJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * How many of the distinct rows are the table's own, at the end.
     * @returns {number}
     */
    own() {
        const ret = wasm.priorjob_own(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.priorjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All thousandths.
     * @returns {number}
     */
    total() {
        const ret = wasm.priorjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) PriorJob.prototype[Symbol.dispose] = PriorJob.prototype.free;

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
 * Rounds the weights of rows to a number of records, puts these in random order and copies them to a table.
 */
export class RecordsJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        RecordsJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_recordsjob_free(ptr, 0);
    }
    /**
     * Thousandths done.
     * @returns {number}
     */
    done() {
        const ret = wasm.recordsjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The records.
     * @returns {Table}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.recordsjob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Table.__wrap(ret[0]);
    }
    /**
     * A job over the rows of a prior, each of which has a weight. `flat` and `starts` are the tables that controlled
     * rounding keeps, `digits` the seed.
     * @param {Table} base
     * @param {Float64Array | number[]} weights
     * @param {number} records
     * @param {string} method
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {string} digits
     */
    constructor(base, weights, records, method, flat, starts, digits) {
        const val7 = +records;
        let ptr0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, ptr5, len5;
        try {
            _assertClass(base, Table);
            ptr0 = base.__destroy_into_raw();
            ptr1 = passArrayF64ToWasm0(weights, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passStringToWasm0(method, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
            ptr4 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len4 = WASM_VECTOR_LEN;
            ptr5 = passStringToWasm0(digits, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len5 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr5) { wasm.__wbindgen_free(ptr5, len5 * 1, 1); }
            if (ptr4) { wasm.__wbindgen_free(ptr4, len4 * 4, 4); }
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 2, 2); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) wasm.__wbg_table_free(ptr0, 1);
            throw e;
        }
        const ret = wasm.recordsjob_new(ptr0, ptr1, len1, val7, ptr2, len2, ptr3, len3, ptr4, len4, ptr5, len5);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        RecordsJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.recordsjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All thousandths.
     * @returns {number}
     */
    total() {
        const ret = wasm.recordsjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) RecordsJob.prototype[Symbol.dispose] = RecordsJob.prototype.free;

/**
 * Rows that all groups share.
 */
export class SharedRows {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        SharedRowsFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_sharedrows_free(ptr, 0);
    }
    /**
     * The distinct rows of a table that was made by a [`BlankingJob`].
     * @param {GroupPlan} plan
     * @param {Table} table
     */
    constructor(plan, table) {
        _assertClass(plan, GroupPlan);
        _assertClass(table, Table);
        var ptr0 = table.__destroy_into_raw();
        const ret = wasm.sharedrows_new(plan.__wbg_ptr, ptr0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        SharedRowsFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * The number of rows.
     * @returns {number}
     */
    rows() {
        const ret = wasm.sharedrows_rows(this.__wbg_ptr);
        return ret >>> 0;
    }
}
if (Symbol.dispose) SharedRows.prototype[Symbol.dispose] = SharedRows.prototype.free;

/**
 * A problem as the exact solver takes it.
 */
export class SmallProblem {
    static __wrap(ptr) {
        const obj = Object.create(SmallProblem.prototype);
        obj.__wbg_ptr = ptr;
        SmallProblemFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        SmallProblemFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_smallproblem_free(ptr, 0);
    }
    /**
     * Shares of the total, marginal after marginal.
     * @returns {Float64Array}
     */
    answers() {
        const ret = wasm.smallproblem_answers(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The cell of each row, marginal after marginal.
     * @returns {Uint32Array}
     */
    cells() {
        const ret = wasm.smallproblem_cells(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * The weight of each row.
     * @returns {Float64Array}
     */
    prior() {
        const ret = wasm.smallproblem_prior(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * Cells of each marginal.
     * @returns {Uint32Array}
     */
    sizes() {
        const ret = wasm.smallproblem_sizes(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
}
if (Symbol.dispose) SmallProblem.prototype[Symbol.dispose] = SmallProblem.prototype.free;

/**
 * Simulates ways to divide a budget.
 */
export class SplitJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        SplitJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_splitjob_free(ptr, 0);
    }
    /**
     * Trials done.
     * @returns {number}
     */
    done() {
        const ret = wasm.splitjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The place of the best, the score of public tables as they are with its standard error, and of each way its score, the
     * standard error, the truths that it was tried on, and whether it is close to the best.
     * @returns {Float64Array}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.splitjob_finish(ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * A job on a public table, for the groups of what was made of it; with options as JSON, and the public counts of all
     * levels one after another.
     * @param {SharedRows} shared
     * @param {Table} table
     * @param {string} options
     * @param {Float64Array | number[]} values
     */
    constructor(shared, table, options, values) {
        _assertClass(shared, SharedRows);
        let ptr0, ptr1, len1, ptr2, len2;
        try {
            _assertClass(table, Table);
            ptr0 = table.__destroy_into_raw();
            ptr1 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 8, 8); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) wasm.__wbg_table_free(ptr0, 1);
            throw e;
        }
        const ret = wasm.splitjob_new(shared.__wbg_ptr, ptr0, ptr1, len1, ptr2, len2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        SplitJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.splitjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Trials in all.
     * @returns {number}
     */
    total() {
        const ret = wasm.splitjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) SplitJob.prototype[Symbol.dispose] = SplitJob.prototype.free;

/**
 * The working out of standard errors.
 */
export class SpreadJob {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        SpreadJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_spreadjob_free(ptr, 0);
    }
    /**
     * The answers done.
     * @returns {number}
     */
    done() {
        const ret = wasm.spreadjob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * For each answer the variance by the noise, and by what is left open.
     * @returns {Float64Array}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.spreadjob_finish(ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The errors of what a model answers: measurements as JSON and the values of one after another, and as JSON the
     * total and its variance, the strength of the prior, the questions and whether answers are shares. `attributes` and
     * `allowed` say which rows are asked about. The cells of rows are kept in at most `limit` bytes.
     * @param {Model} model
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {Uint16Array | number[]} attributes
     * @param {Uint8Array | number[]} allowed
     * @param {number} limit
     */
    constructor(model, measurements, values, options, attributes, allowed, limit) {
        _assertClass(model, Model);
        const val6 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4;
        try {
            ptr0 = passStringToWasm0(measurements, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passArray16ToWasm0(attributes, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
            ptr4 = passArray8ToWasm0(allowed, wasm.__wbindgen_malloc);
            len4 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr4) { wasm.__wbindgen_free(ptr4, len4 * 1, 1); }
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 2, 2); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.spreadjob_new(model.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, val6);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        SpreadJobFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.spreadjob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * All answers.
     * @returns {number}
     */
    total() {
        const ret = wasm.spreadjob_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) SpreadJob.prototype[Symbol.dispose] = SpreadJob.prototype.free;

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
 * What came of two stages.
 */
export class TwoStageFound {
    static __wrap(ptr) {
        const obj = Object.create(TwoStageFound.prototype);
        obj.__wbg_ptr = ptr;
        TwoStageFoundFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TwoStageFoundFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_twostagefound_free(ptr, 0);
    }
    /**
     * The loss and its gap, the entropy and its gap, the relative gap, and what cells without a row add to the loss.
     * @returns {Float64Array}
     */
    figures() {
        const ret = wasm.twostagefound_figures(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The model.
     * @returns {Model}
     */
    model() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.twostagefound_model(ptr);
        return Model.__wrap(ret);
    }
    /**
     * Why the answers cannot be met, if so.
     * @returns {string | undefined}
     */
    reason() {
        const ret = wasm.twostagefound_reason(this.__wbg_ptr);
        let v1;
        if (ret[0] !== 0) {
            v1 = getStringFromWasm0(ret[0], ret[1]);
            wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        }
        return v1;
    }
    /**
     * How it ended.
     * @returns {string}
     */
    status() {
        let deferred1_0;
        let deferred1_1;
        try {
            const ret = wasm.twostagefound_status(this.__wbg_ptr);
            deferred1_0 = ret[0];
            deferred1_1 = ret[1];
            return getStringFromWasm0(ret[0], ret[1]);
        } finally {
            wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * The judgements: passes, price, loss, entropy.
     * @returns {Float64Array}
     */
    trace() {
        const ret = wasm.twostagefound_trace(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
}
if (Symbol.dispose) TwoStageFound.prototype[Symbol.dispose] = TwoStageFound.prototype.free;

/**
 * Two stages by the interior point, or the first alone, in the making.
 */
export class TwoStageJob {
    static __wrap(ptr) {
        const obj = Object.create(TwoStageJob.prototype);
        obj.__wbg_ptr = ptr;
        TwoStageJobFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TwoStageJobFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_twostagejob_free(ptr, 0);
    }
    /**
     * The units done; how many there are is not known.
     * @returns {number}
     */
    done() {
        const ret = wasm.twostagejob_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The best model so far.
     * @returns {TwoStageFound}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.twostagejob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return TwoStageFound.__wrap(ret[0]);
    }
    /**
     * How many judgements there are.
     * @returns {number}
     */
    judgements() {
        const ret = wasm.twostagejob_judgements(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.twostagejob_step(this.__wbg_ptr, work);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
}
if (Symbol.dispose) TwoStageJob.prototype[Symbol.dispose] = TwoStageJob.prototype.free;

/**
 * A two-stage problem: first the making of its cells of rows.
 */
export class TwoStageTask {
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TwoStageTaskFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_twostagetask_free(ptr, 0);
    }
    /**
     * Rows, cells that they lie in, the number of records and its variance; then for each measurement the number of
     * answers that no row can meet, and their sum.
     * @returns {Float64Array}
     */
    about() {
        const ret = wasm.twostagetask_about(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
    /**
     * The units done.
     * @returns {number}
     */
    done() {
        const ret = wasm.twostagetask_done(this.__wbg_ptr);
        return ret;
    }
    /**
     * The model of weights that the exact solver found.
     * @param {Float64Array | number[]} weights
     * @returns {Model}
     */
    model(weights) {
        const ptr0 = passArrayF64ToWasm0(weights, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.twostagetask_model(this.__wbg_ptr, ptr0, len0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Model.__wrap(ret[0]);
    }
    /**
     * A problem: measurements and options as JSON, and the values of one measurement after another. The cells of
     * rows are kept in at most `limit` bytes.
     * @param {PriorBase} prior
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     */
    constructor(prior, measurements, values, options, limit) {
        _assertClass(prior, PriorBase);
        const val4 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passStringToWasm0(measurements, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.twostagetask_new(prior.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        TwoStageTaskFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * The problem as the exact solver takes it.
     * @returns {SmallProblem}
     */
    small() {
        const ret = wasm.twostagetask_small(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return SmallProblem.__wrap(ret[0]);
    }
    /**
     * Solves it here.
     * @returns {TwoStageJob}
     */
    solve() {
        const ret = wasm.twostagetask_solve(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return TwoStageJob.__wrap(ret[0]);
    }
    /**
     * Does about `work` units; true when the cells of rows are known.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.twostagetask_step(this.__wbg_ptr, work);
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
        const ret = wasm.twostagetask_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) TwoStageTask.prototype[Symbol.dispose] = TwoStageTask.prototype.free;

/**
 * How many whole records each of some totals gets of all.
 * @param {Float64Array | number[]} totals
 * @param {number} records
 * @returns {Float64Array}
 */
export function apportioned(totals, records) {
    const val2 = +records;
    const ptr0 = passArrayF64ToWasm0(totals, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.apportioned(ptr0, len0, val2);
    if (ret[3]) {
        throw takeFromExternrefTable0(ret[2]);
    }
    var v3 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
    return v3;
}

/**
 * Begins a call whose memory nobody may be told of, and which may take so many bytes for private rows in all.
 * @param {number} most
 */
export function enterPrivate(most) {
    wasm.enterPrivate(most);
}

/**
 * Finds the dependencies of a public table: of each its two attributes, whether it takes raw numbers to know, and whether they
 * follow.
 * @param {Table} table
 * @returns {Job<Uint16Array<ArrayBuffer>>}
 */
export function findDependencies(table) {
    _assertClass(table, Table);
    var ptr0 = table.__destroy_into_raw();
    const ret = wasm.findDependencies(ptr0);
    return Job.__wrap(ret);
}

/**
 * What an attribute is for each code of another that it follows from: its codes, and then its raw numbers.
 * @param {Table} table
 * @param {number} from
 * @param {number} to
 * @param {boolean} number
 * @returns {Float64Array}
 */
export function followed(table, from, to, number) {
    const val2 = +from;
    const val3 = +to;
    const val4 = +number;
    _assertClass(table, Table);
    var ptr0 = table.__destroy_into_raw();
    const ret = wasm.followed(ptr0, val2, val3, val4);
    if (ret[3]) {
        throw takeFromExternrefTable0(ret[2]);
    }
    var v5 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
    return v5;
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
 * The number of records of a model.
 * @param {Model} model
 * @returns {number}
 */
export function modelTotal(model) {
    _assertClass(model, Model);
    const ret = wasm.modelTotal(model.__wbg_ptr);
    return ret;
}

/**
 * The part of a model that meets a condition: attributes, and whether each of their codes is meant. Nothing where no
 * row that meets it has any weight.
 * @param {Model} model
 * @param {Uint16Array | number[]} attributes
 * @param {Uint8Array | number[]} allowed
 * @returns {Model | undefined}
 */
export function modelWithin(model, attributes, allowed) {
    _assertClass(model, Model);
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray16ToWasm0(attributes, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(allowed, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 2, 2); }
        throw e;
    }
    const ret = wasm.modelWithin(model.__wbg_ptr, ptr0, len0, ptr1, len1);
    if (ret[2]) {
        throw takeFromExternrefTable0(ret[1]);
    }
    return ret[0] === 0 ? undefined : Model.__wrap(ret[0]);
}

/**
 * Builds the global pool of `threads` threads, of which the calling one is the first; returns when workers
 * have taken up the others.
 * @param {number} threads
 */
export function poolStart(threads) {
    const ret = wasm.poolStart(threads);
    if (ret[1]) {
        throw takeFromExternrefTable0(ret[0]);
    }
}

/**
 * Waits for a thread of the pool and becomes it: never returns while the pool lives.
 */
export function poolWork() {
    wasm.poolWork();
}

/**
 * The prior that a model is on.
 * @param {Model} model
 * @returns {PriorBase}
 */
export function priorOf(model) {
    _assertClass(model, Model);
    const ret = wasm.priorOf(model.__wbg_ptr);
    return PriorBase.__wrap(ret);
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
function __wbg_get_imports(memory) {
    const import0 = {
        __proto__: null,
        __wbg_Error_208446807d0d1e30: function(arg0, arg1) {
            const ret = Error(getStringFromWasm0(arg0, arg1));
            return ret;
        },
        __wbg___wbindgen_throw_4c88d8bf264fd984: function(arg0, arg1) {
            throw new Error(getStringFromWasm0(arg0, arg1));
        },
        __wbg_new_dffe1a8dcfdd4142: function() {
            const ret = new Object();
            return ret;
        },
        __wbg_set_c358ca324a3b7213: function(arg0, arg1, arg2, arg3, arg4) {
            arg0[getStringFromWasm0(arg1, arg2)] = getStringFromWasm0(arg3, arg4);
        },
        __wbindgen_generic_0000000000000001: function(arg0, arg1) {
            var v0 = getArrayU16FromWasm0(arg0, arg1).slice();
            wasm.__wbindgen_free(arg0, arg1 * 2, 2);
            // Cast intrinsic for `Vector(U16) -> Externref`.
            const ret = v0;
            return ret;
        },
        __wbindgen_init_externref_table: function() {
            const table = wasm.__wbindgen_externrefs;
            table.set(0, undefined);
            table.set(1024, undefined);
            table.set(1025, null);
            table.set(1026, true);
            table.set(1027, false);
        },
        memory: memory || new WebAssembly.Memory({initial:18,maximum:65536,shared:true}),
    };
    return {
        __proto__: null,
        "./marginalia_model_bg.js": import0,
    };
}

const AnswerJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_answerjob_free(ptr, 1));
const AnswersFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_answers_free(ptr, 1));
const BlankingJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_blankingjob_free(ptr, 1));
const DesignJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_designjob_free(ptr, 1));
const EstimateJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_estimatejob_free(ptr, 1));
const EstimatedFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_estimated_free(ptr, 1));
const FullTableJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_fulltablejob_free(ptr, 1));
const GroupAnswerJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_groupanswerjob_free(ptr, 1));
const GroupModelJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_groupmodeljob_free(ptr, 1));
const GroupPartsJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_grouppartsjob_free(ptr, 1));
const GroupPlanFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_groupplan_free(ptr, 1));
const GroupsFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_groups_free(ptr, 1));
const GroupsJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_groupsjob_free(ptr, 1));
const GroupsRecordsJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_groupsrecordsjob_free(ptr, 1));
const GroupsRestorerFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_groupsrestorer_free(ptr, 1));
const GroupsSpreadJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_groupsspreadjob_free(ptr, 1));
const JobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_job_free(ptr, 1));
const MixingJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_mixingjob_free(ptr, 1));
const ModelFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_model_free(ptr, 1));
const ModelRestorerFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_modelrestorer_free(ptr, 1));
const PoolingJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_poolingjob_free(ptr, 1));
const PotentialsFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_potentials_free(ptr, 1));
const PriorBaseFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_priorbase_free(ptr, 1));
const PriorJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_priorjob_free(ptr, 1));
const RankJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_rankjob_free(ptr, 1));
const RecordsJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_recordsjob_free(ptr, 1));
const SharedRowsFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_sharedrows_free(ptr, 1));
const SmallProblemFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_smallproblem_free(ptr, 1));
const SplitJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_splitjob_free(ptr, 1));
const SpreadJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_spreadjob_free(ptr, 1));
const TableFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_table_free(ptr, 1));
const TableCopyFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_tablecopy_free(ptr, 1));
const TwoStageFoundFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_twostagefound_free(ptr, 1));
const TwoStageJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_twostagejob_free(ptr, 1));
const TwoStageTaskFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_twostagetask_free(ptr, 1));

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

let cachedFloat64ArrayMemory0 = null;
function getFloat64ArrayMemory0() {
    if (cachedFloat64ArrayMemory0 === null || cachedFloat64ArrayMemory0.buffer !== wasm.memory.buffer) {
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
    if (cachedUint16ArrayMemory0 === null || cachedUint16ArrayMemory0.buffer !== wasm.memory.buffer) {
        cachedUint16ArrayMemory0 = new Uint16Array(wasm.memory.buffer);
    }
    return cachedUint16ArrayMemory0;
}

let cachedUint32ArrayMemory0 = null;
function getUint32ArrayMemory0() {
    if (cachedUint32ArrayMemory0 === null || cachedUint32ArrayMemory0.buffer !== wasm.memory.buffer) {
        cachedUint32ArrayMemory0 = new Uint32Array(wasm.memory.buffer);
    }
    return cachedUint32ArrayMemory0;
}

let cachedUint8ArrayMemory0 = null;
function getUint8ArrayMemory0() {
    if (cachedUint8ArrayMemory0 === null || cachedUint8ArrayMemory0.buffer !== wasm.memory.buffer) {
        cachedUint8ArrayMemory0 = new Uint8Array(wasm.memory.buffer);
    }
    return cachedUint8ArrayMemory0;
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

let cachedTextDecoder = (typeof TextDecoder !== 'undefined' ? new TextDecoder('utf-8', { ignoreBOM: true }) : undefined);
if (cachedTextDecoder) cachedTextDecoder.decode();

const MAX_SAFARI_DECODE_BYTES = 2146435072;
let numBytesDecoded = 0;
function decodeText(bytes) {
    numBytesDecoded += bytes.length;
    if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {
        cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
        cachedTextDecoder.decode();
        numBytesDecoded = bytes.length;
    }
    return cachedTextDecoder.decode(bytes.slice());
}

const cachedTextEncoder = (typeof TextEncoder !== 'undefined' ? new TextEncoder() : undefined);

if (cachedTextEncoder) {
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
function __wbg_finalize_init(instance, module, thread_stack_size) {
    wasmInstance = instance;
    wasm = instance.exports;
    wasmModule = module;
    cachedFloat64ArrayMemory0 = null;
    cachedUint16ArrayMemory0 = null;
    cachedUint32ArrayMemory0 = null;
    cachedUint8ArrayMemory0 = null;
    if (typeof thread_stack_size !== 'undefined' && (typeof thread_stack_size !== 'number' || thread_stack_size === 0 || thread_stack_size % 65536 !== 0)) {
        throw new Error('invalid stack size');
    }

    wasm.__wbindgen_start(thread_stack_size);
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

function initSync(module, memory) {
    if (wasm !== undefined) return wasm;

    let thread_stack_size
    if (module !== undefined) {
        if (Object.getPrototypeOf(module) === Object.prototype) {
            ({module, memory, thread_stack_size} = module)
        } else {
            console.warn('using deprecated parameters for `initSync()`; pass a single object instead')
        }
    }

    const imports = __wbg_get_imports(memory);
    if (!(module instanceof WebAssembly.Module)) {
        module = new WebAssembly.Module(module);
    }
    const instance = new WebAssembly.Instance(module, imports);
    return __wbg_finalize_init(instance, module, thread_stack_size);
}

let __wbg_init_promise;
async function __wbg_init(module_or_path, memory) {
    if (wasm !== undefined) return wasm;
    if (__wbg_init_promise === undefined) {
        __wbg_init_promise = __wbg_init_once(module_or_path, memory);
        __wbg_init_promise.catch(() => { __wbg_init_promise = undefined; });
    }
    return __wbg_init_promise;
}

async function __wbg_init_once(module_or_path, memory) {
    let thread_stack_size
    if (module_or_path !== undefined) {
        if (Object.getPrototypeOf(module_or_path) === Object.prototype) {
            ({module_or_path, memory, thread_stack_size} = module_or_path)
        } else {
            console.warn('using deprecated parameters for the initialization function; pass a single object instead')
        }
    }


    const imports = __wbg_get_imports(memory);

    if (typeof module_or_path === 'string' || (typeof Request === 'function' && module_or_path instanceof Request) || (typeof URL === 'function' && module_or_path instanceof URL)) {
        module_or_path = fetch(module_or_path);
    }

    const { instance, module } = await __wbg_load(await module_or_path, imports);

    return __wbg_finalize_init(instance, module, thread_stack_size);
}

export { initSync, __wbg_init as default };
