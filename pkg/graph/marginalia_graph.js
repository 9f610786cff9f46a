/* @ts-self-types="./marginalia_graph.d.ts" */

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
 * A model, and how good it is.
 */
export class Estimate {
    static __wrap(ptr) {
        const obj = Object.create(Estimate.prototype);
        obj.__wbg_ptr = ptr;
        EstimateFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        EstimateFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_estimate_free(ptr, 0);
    }
    /**
     * The model.
     * @returns {Model}
     */
    model() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.estimate_model(ptr);
        return Model.__wrap(ret);
    }
    /**
     * All but the model, by the names of `Outcome`.
     * @returns {object}
     */
    outcome() {
        const ret = wasm.estimate_outcome(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) Estimate.prototype[Symbol.dispose] = Estimate.prototype.free;

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
     * Counts of which the caller's own loss is asked, once; nothing is done until it is told.
     * @returns {Float64Array | undefined}
     */
    counts() {
        const ret = wasm.estimatejob_counts(this.__wbg_ptr);
        let v1;
        if (ret[0] !== 0) {
            v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
            wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        }
        return v1;
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
     * That loss, and its gradient.
     * @param {number} loss
     * @param {Float64Array | number[]} gradient
     */
    evaluated(loss, gradient) {
        const val2 = +loss;
        const ptr0 = passArrayF64ToWasm0(gradient, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        wasm.estimatejob_evaluated(this.__wbg_ptr, val2, ptr0, len0);
    }
    /**
     * The best model so far.
     * @returns {Estimate}
     */
    finish() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.estimatejob_finish(ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Estimate.__wrap(ret[0]);
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
     * From rows of a prior that know some of a schema's attributes.
     * @param {PriorBase} prior
     * @param {string} schema
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     * @returns {EstimateJob}
     */
    static onKnown(prior, schema, measurements, values, options, limit) {
        _assertClass(prior, PriorBase);
        const val5 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
        try {
            ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(measurements, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len3 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 8, 8); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.estimatejob_onKnown(prior.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, val5);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return EstimateJob.__wrap(ret[0]);
    }
    /**
     * From a model on the rows of a prior.
     * @param {PriorBase} prior
     * @param {Model} start
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     * @returns {EstimateJob}
     */
    static onModel(prior, start, measurements, values, options, limit) {
        _assertClass(prior, PriorBase);
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
        const ret = wasm.estimatejob_onModel(prior.__wbg_ptr, start.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return EstimateJob.__wrap(ret[0]);
    }
    /**
     * From the rows of a prior: measurements and options as JSON, and the values of one measurement after another. The
     * cells of rows are kept in at most `limit` bytes.
     * @param {PriorBase} prior
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     * @returns {EstimateJob}
     */
    static onPrior(prior, measurements, values, options, limit) {
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
        const ret = wasm.estimatejob_onPrior(prior.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return EstimateJob.__wrap(ret[0]);
    }
    /**
     * From nothing but a schema.
     * @param {string} schema
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     * @returns {EstimateJob}
     */
    static onSchema(schema, measurements, values, options, limit) {
        const val5 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
        try {
            ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(measurements, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passStringToWasm0(options, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len3 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 8, 8); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.estimatejob_onSchema(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, val5);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return EstimateJob.__wrap(ret[0]);
    }
    /**
     * From a model without rows.
     * @param {Model} start
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {number} limit
     * @returns {EstimateJob}
     */
    static onStart(start, measurements, values, options, limit) {
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
        const ret = wasm.estimatejob_onStart(start.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return EstimateJob.__wrap(ret[0]);
    }
    /**
     * A problem that is to be solved outside, once; nothing is done until it is answered.
     * @returns {SmallProblem | undefined}
     */
    outside() {
        const ret = wasm.estimatejob_outside(this.__wbg_ptr);
        return ret === 0 ? undefined : SmallProblem.__wrap(ret);
    }
    /**
     * What solved it: as JSON what is said of it, and the mass of each row.
     * @param {string} found
     * @param {Float64Array | number[]} weights
     */
    resume(found, weights) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passStringToWasm0(found, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(weights, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.estimatejob_resume(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Does about `work` units; true at the end.
     * @param {number} work
     * @returns {boolean}
     */
    step(work) {
        const ret = wasm.estimatejob_step(this.__wbg_ptr, work);
        return ret !== 0;
    }
    /**
     * Nothing solved it.
     */
    unanswered() {
        wasm.estimatejob_unanswered(this.__wbg_ptr);
    }
}
if (Symbol.dispose) EstimateJob.prototype[Symbol.dispose] = EstimateJob.prototype.free;

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
     * What it has come to since this was last asked.
     * @returns {Float64Array}
     */
    found() {
        const ret = wasm.job_found(this.__wbg_ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
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
 * A model of any kind, behind a handle.
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
     * Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {number} limit
     * @returns {Job<Answers>}
     */
    answer(flat, starts, limit) {
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
        const ret = wasm.model_answer(this.__wbg_ptr, ptr0, len0, ptr1, len1, val3);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Job.__wrap(ret[0]);
    }
    /**
     * A prior of it, in at most `limit` bytes.
     * @param {number} limit
     * @returns {Job<PriorBase>}
     */
    asPrior(limit) {
        const ret = wasm.model_asPrior(this.__wbg_ptr, limit);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Job.__wrap(ret[0]);
    }
    /**
     * Rows with what is missing drawn: the codes of each attribute that is not derived, one after another, −1 where one is missing;
     * in at most `limit` bytes.
     * @param {Int32Array | number[]} codes
     * @param {string} method
     * @param {string} digits
     * @param {number} limit
     * @returns {Job<Table>}
     */
    complete(codes, method, digits, limit) {
        const val4 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray32ToWasm0(codes, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passStringToWasm0(method, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passStringToWasm0(digits, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 4, 4); }
            throw e;
        }
        const ret = wasm.model_complete(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Job.__wrap(ret[0]);
    }
    /**
     * What it is given by.
     * @returns {ModelForm}
     */
    form() {
        const ret = wasm.model_form(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ModelForm.__wrap(ret[0]);
    }
    /**
     * Its kind.
     * @returns {string}
     */
    kind() {
        let deferred1_0;
        let deferred1_1;
        try {
            const ret = wasm.model_kind(this.__wbg_ptr);
            deferred1_0 = ret[0];
            deferred1_1 = ret[1];
            return getStringFromWasm0(ret[0], ret[1]);
        } finally {
            wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * The part that meets a condition: attributes, and whether each of their codes is meant. Nothing where no record
     * can meet it.
     * @param {Uint16Array | number[]} attributes
     * @param {Uint8Array | number[]} allowed
     * @returns {Model | undefined}
     */
    part(attributes, allowed) {
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
        const ret = wasm.model_part(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] === 0 ? undefined : Model.__wrap(ret[0]);
    }
    /**
     * The answers to products of queries, which are the rows of a matrix of each of some attributes: of all combinations where they
     * are `combined`, in at most `limit` bytes.
     * @param {Uint16Array | number[]} attributes
     * @param {Float64Array | number[]} rows
     * @param {Uint32Array | number[]} starts
     * @param {boolean} combined
     * @param {number} limit
     * @returns {Job<Float64Array<ArrayBuffer>>}
     */
    products(attributes, rows, starts, combined, limit) {
        const val4 = +combined;
        const val5 = +limit;
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray16ToWasm0(attributes, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArrayF64ToWasm0(rows, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 4, 4); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 8, 8); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 2, 2); }
            throw e;
        }
        const ret = wasm.model_products(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, val4, val5);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Job.__wrap(ret[0]);
    }
    /**
     * So many records. `flat` and `starts` are the tables that controlled rounding keeps, `digits` the seed.
     * @param {number} records
     * @param {string} method
     * @param {Uint16Array | number[]} flat
     * @param {Uint32Array | number[]} starts
     * @param {string} digits
     * @returns {Job<Table>}
     */
    records(records, method, flat, starts, digits) {
        const val5 = +records;
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
        try {
            ptr0 = passStringToWasm0(method, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passStringToWasm0(digits, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len3 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 4, 4); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 2, 2); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.model_records(this.__wbg_ptr, val5, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Job.__wrap(ret[0]);
    }
    /**
     * How many numbers it is held by, about.
     * @returns {number}
     */
    size() {
        const ret = wasm.model_size(this.__wbg_ptr);
        return ret >>> 0;
    }
    /**
     * For each answer the variance by the noise, and by what is left open: measurements as JSON and the values of one
     * after another, and as JSON the total and its variance, the strength of the prior, the questions and whether answers
     * are shares. `attributes` and `allowed` say which records are asked about. The cells of rows are kept in at most
     * `limit` bytes.
     * @param {string} measurements
     * @param {Float64Array | number[]} values
     * @param {string} options
     * @param {Uint16Array | number[]} attributes
     * @param {Uint8Array | number[]} allowed
     * @param {number} limit
     * @returns {Job<Float64Array<ArrayBuffer>>}
     */
    standardErrors(measurements, values, options, attributes, allowed, limit) {
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
        const ret = wasm.model_standardErrors(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, val6);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Job.__wrap(ret[0]);
    }
    /**
     * The number of records.
     * @returns {number}
     */
    total() {
        const ret = wasm.model_total(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) Model.prototype[Symbol.dispose] = Model.prototype.free;

/**
 * What a model is given by, beside its schema, its total and the rows that it may be on.
 */
export class ModelForm {
    static __wrap(ptr) {
        const obj = Object.create(ModelForm.prototype);
        obj.__wbg_ptr = ptr;
        ModelFormFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ModelFormFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_modelform_free(ptr, 0);
    }
    /**
     * The attributes of one clique after another, where cells of cliques have the numbers.
     * @returns {Uint16Array | undefined}
     */
    flat() {
        const ret = wasm.modelform_flat(this.__wbg_ptr);
        let v1;
        if (ret[0] !== 0) {
            v1 = getArrayU16FromWasm0(ret[0], ret[1]).slice();
            wasm.__wbindgen_free(ret[0], ret[1] * 2, 2);
        }
        return v1;
    }
    /**
     * Where each clique begins, and where the last one ends.
     * @returns {Uint32Array}
     */
    starts() {
        const ret = wasm.modelform_starts(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * The numbers.
     * @returns {Float64Array}
     */
    values() {
        const ptr = this.__destroy_into_raw();
        const ret = wasm.modelform_values(ptr);
        var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
        return v1;
    }
}
if (Symbol.dispose) ModelForm.prototype[Symbol.dispose] = ModelForm.prototype.free;

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
     * A copy of a prior: its rows with their shares, and the sum of its weights.
     * @param {Table} table
     * @param {number} weight
     * @returns {PriorBase}
     */
    static ofShares(table, weight) {
        const val2 = +weight;
        _assertClass(table, Table);
        var ptr0 = table.__destroy_into_raw();
        const ret = wasm.priorbase_ofShares(ptr0, val2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return PriorBase.__wrap(ret[0]);
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
     * Whether nothing else is to solve it.
     * @returns {boolean}
     */
    required() {
        const ret = wasm.smallproblem_required(this.__wbg_ptr);
        return ret !== 0;
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
    /**
     * What the second stage keeps.
     * @returns {string}
     */
    target() {
        let deferred1_0;
        let deferred1_1;
        try {
            const ret = wasm.smallproblem_target(this.__wbg_ptr);
            deferred1_0 = ret[0];
            deferred1_1 = ret[1];
            return getStringFromWasm0(ret[0], ret[1]);
        } finally {
            wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * The relative gap that is good enough.
     * @returns {number}
     */
    tolerance() {
        const ret = wasm.smallproblem_tolerance(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) SmallProblem.prototype[Symbol.dispose] = SmallProblem.prototype.free;

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
 * Refuses rules that contradict each other, with their names.
 * @param {string} schema
 * @param {string} list
 * @param {number} limit
 */
export function checkRules(schema, list, limit) {
    const val3 = +limit;
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passStringToWasm0(list, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.checkRules(ptr0, len0, ptr1, len1, val3);
    if (ret[1]) {
        throw takeFromExternrefTable0(ret[0]);
    }
}

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
 * A model of a kind that is put together again: by its form, as [`Model::form`] gives it, without cliques where `flat` is
 * missing. What it is summed over is kept in at most `limit` bytes.
 * @param {string} kind
 * @param {string} schema
 * @param {Uint16Array | number[] | null | undefined} flat
 * @param {Uint32Array | number[]} starts
 * @param {Float64Array | number[]} values
 * @param {number} total
 * @param {number} limit
 * @returns {Job<Model>}
 */
export function restoreModel(kind, schema, flat, starts, values, total, limit) {
    const val6 = +total;
    const val7 = +limit;
    let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4;
    try {
        ptr0 = passStringToWasm0(kind, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = isLikeNone(flat) ? 0 : passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
        ptr3 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
        len3 = WASM_VECTOR_LEN;
        ptr4 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
        len4 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr4) { wasm.__wbindgen_free(ptr4, len4 * 8, 8); }
        if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 4, 4); }
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 2, 2); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.restoreModel(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, val6, val7);
    if (ret[2]) {
        throw takeFromExternrefTable0(ret[1]);
    }
    return Job.__wrap(ret[0]);
}

/**
 * The same of a kind that is on the rows of a prior. The cells of rows are kept in at most `limit` bytes.
 * @param {PriorBase} prior
 * @param {string} kind
 * @param {Uint16Array | number[] | null | undefined} flat
 * @param {Uint32Array | number[]} starts
 * @param {Float64Array | number[]} values
 * @param {number} total
 * @param {number} limit
 * @returns {Job<Model>}
 */
export function restoreModelOn(prior, kind, flat, starts, values, total, limit) {
    _assertClass(prior, PriorBase);
    const val5 = +total;
    const val6 = +limit;
    let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
    try {
        ptr0 = passStringToWasm0(kind, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = isLikeNone(flat) ? 0 : passArray16ToWasm0(flat, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
        ptr3 = passArrayF64ToWasm0(values, wasm.__wbindgen_malloc);
        len3 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 8, 8); }
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 4, 4); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 2, 2); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.restoreModelOn(prior.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, val5, val6);
    if (ret[2]) {
        throw takeFromExternrefTable0(ret[1]);
    }
    return Job.__wrap(ret[0]);
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

/**
 * What a model of some cliques takes, as JSON: clique `i` is `attributes[starts[i]..starts[i + 1]]`.
 * @param {string} schema
 * @param {Uint16Array | number[]} attributes
 * @param {Uint32Array | number[]} starts
 * @returns {string}
 */
export function sizeOf(schema, attributes, starts) {
    let deferred5_0;
    let deferred5_1;
    try {
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passStringToWasm0(schema, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray16ToWasm0(attributes, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray32ToWasm0(starts, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 4, 4); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 2, 2); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.sizeOf(ptr0, len0, ptr1, len1, ptr2, len2);
        var ptr4 = ret[0];
        var len4 = ret[1];
        if (ret[3]) {
            ptr4 = 0; len4 = 0;
            throw takeFromExternrefTable0(ret[2]);
        }
        deferred5_0 = ptr4;
        deferred5_1 = len4;
        return getStringFromWasm0(ptr4, len4);
    } finally {
        wasm.__wbindgen_free(deferred5_0, deferred5_1, 1);
    }
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg___wbindgen_throw_4c88d8bf264fd984: function(arg0, arg1) {
            throw new Error(getStringFromWasm0(arg0, arg1));
        },
        __wbg_answers_new: function(arg0) {
            const ret = Answers.__wrap(arg0);
            return ret;
        },
        __wbg_model_new: function(arg0) {
            const ret = Model.__wrap(arg0);
            return ret;
        },
        __wbg_new_54a74b3a944f2acb: function() {
            const ret = new Array();
            return ret;
        },
        __wbg_new_6580d8bf1af75a84: function() {
            const ret = new Object();
            return ret;
        },
        __wbg_new_dffe1a8dcfdd4142: function() {
            const ret = new Object();
            return ret;
        },
        __wbg_priorbase_new: function(arg0) {
            const ret = PriorBase.__wrap(arg0);
            return ret;
        },
        __wbg_push_0e78915e5b1d5973: function(arg0, arg1) {
            arg0.push(arg1);
        },
        __wbg_set_95128627ebd7bcab: function(arg0, arg1, arg2, arg3) {
            arg0[getStringFromWasm0(arg1, arg2)] = arg3;
        },
        __wbg_set_c358ca324a3b7213: function(arg0, arg1, arg2, arg3, arg4) {
            arg0[getStringFromWasm0(arg1, arg2)] = getStringFromWasm0(arg3, arg4);
        },
        __wbg_table_new: function(arg0) {
            const ret = Table.__wrap(arg0);
            return ret;
        },
        __wbindgen_generic_0000000000000001: function(arg0) {
            // Cast intrinsic for `F64 -> Externref`.
            const ret = arg0;
            return ret;
        },
        __wbindgen_generic_0000000000000002: function(arg0, arg1) {
            // Cast intrinsic for `Ref(String) -> Externref`.
            const ret = getStringFromWasm0(arg0, arg1);
            return ret;
        },
        __wbindgen_generic_0000000000000003: function(arg0, arg1) {
            var v0 = getArrayF64FromWasm0(arg0, arg1).slice();
            wasm.__wbindgen_free(arg0, arg1 * 8, 8);
            // Cast intrinsic for `Vector(F64) -> Externref`.
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
    };
    return {
        __proto__: null,
        "./marginalia_graph_bg.js": import0,
    };
}

const AnswersFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_answers_free(ptr, 1));
const EstimateFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_estimate_free(ptr, 1));
const EstimateJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_estimatejob_free(ptr, 1));
const JobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_job_free(ptr, 1));
const ModelFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_model_free(ptr, 1));
const ModelFormFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_modelform_free(ptr, 1));
const PriorBaseFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_priorbase_free(ptr, 1));
const RankJobFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_rankjob_free(ptr, 1));
const SmallProblemFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_smallproblem_free(ptr, 1));
const TableFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_table_free(ptr, 1));
const TableCopyFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_tablecopy_free(ptr, 1));

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
