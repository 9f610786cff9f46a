//! Plans are the same to the pass on every machine and in every version: the order of sums of weights follows
//! from them.

use marginalia_tables::count::{CostModel, Form, Plan, Planner, plan};
use marginalia_tables::{Domain, Workload};

const SIZES: [u32; 20] = [20, 2, 5, 9, 24, 6, 2, 12, 30, 8, 3, 4, 10, 16, 2, 7, 25, 5, 3, 14];

fn k_way(attributes: u16, k: usize) -> Workload {
    let mut cliques: Vec<Vec<u16>> = vec![vec![]];
    for _ in 0..k {
        let longer = |clique: &Vec<u16>| {
            let next = clique.last().map_or(0, |a| a + 1);
            (next..attributes).map(|a| [clique.as_slice(), &[a]].concat()).collect::<Vec<_>>()
        };
        cliques = cliques.iter().flat_map(longer).collect();
    }
    let sizes: Vec<u32> = (0..usize::from(attributes)).map(|a| SIZES[a % 20]).collect();
    Workload::from_cliques(Domain::new(sizes), &cliques).unwrap()
}

/// Cliques of up to five of 24 attributes, some of one code and some too large for a block, in any order.
fn mixed(seed: u64, cliques: usize) -> Workload {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % n
    };
    let sizes: Vec<u32> = (0..24).map(|a| [1, 2, 3, 7, 40, 300][(a + below(2)) % 6]).collect();
    let cliques: Vec<Vec<u16>> = (0..cliques)
        .map(|_| {
            let mut clique: Vec<u16> = Vec::new();
            for _ in 0..below(6) {
                let a = below(24) as u16;
                if !clique.contains(&a) {
                    clique.push(a);
                }
            }
            clique
        })
        .collect();
    Workload::from_cliques(Domain::new(sizes), &cliques).unwrap()
}

fn fingerprint(plan: &Plan) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3);
    for pass in &plan.passes {
        add(pass.attributes.len() as u64);
        pass.attributes.iter().for_each(|a| add(u64::from(*a)));
        add(pass.cells);
        add(match pass.form {
            Form::Block => 0,
            Form::Dense => 1,
            Form::Sparse => 2,
        });
        add(pass.cliques.len() as u64);
        pass.cliques.iter().for_each(|i| add(*i as u64));
    }
    add(plan.cost.to_bits());
    hash
}

#[test]
fn plans_stay_what_they_are() {
    let (counts, sums) = (CostModel::counts(), CostModel::sums());
    let of = |workload: &Workload, rows, cost| {
        let plan = plan(workload, rows, cost).unwrap();
        (plan.passes.len(), fingerprint(&plan))
    };
    let mut found = Vec::new();
    for (attributes, k) in [(20, 2), (20, 3), (30, 1), (60, 2), (12, 5), (40, 3)] {
        let workload = k_way(attributes, k);
        for rows in [0, 1_000, 100_000, 1_000_000] {
            found.push(of(&workload, rows, &counts));
        }
        found.push(of(&workload, 50_000, &sums));
    }
    for seed in 0..4 {
        let workload = mixed(seed, 30 << (2 * seed));
        for rows in [10, 20_000, 3_000_000] {
            found.push(of(&workload, rows, &counts));
        }
    }
    assert_eq!(found, EXPECTED);
}

/// A planner's largest step beyond the work that was asked for, and the number of steps.
fn steps(workload: &Workload, rows: u64, work: u64) -> (u64, u64) {
    let mut planner = Planner::new(workload, rows, CostModel::counts()).unwrap();
    let (mut largest, mut steps, mut done) = (0, 1, 0);
    while !planner.step(workload, work).unwrap() {
        assert!(planner.done() > done, "a step did nothing");
        largest = largest.max(planner.done() - done);
        done = planner.done();
        steps += 1;
    }
    (largest.max(planner.done() - done).saturating_sub(work), steps)
}

/// Nothing that a planner does at once grows faster than the number of cliques, some 20 units for each, so that
/// an abort is felt while 161,700 cliques are planned and while half a million are.
#[test]
fn planning_goes_in_small_steps() {
    const WORK: u64 = 1 << 20;
    for (workload, rows) in [(k_way(100, 3), 1_000), (k_way(50, 3), 1 << 20), (k_way(700, 2), 1_000)] {
        let (beyond, steps) = steps(&workload, rows, WORK);
        assert!(beyond < 20 * workload.len() as u64, "{beyond} units for {} cliques", workload.len());
        assert!(steps > 20, "{} cliques were planned in {steps} steps", workload.len());
    }
}

/// Attributes of one code enlarge no cover, so that all 40 join one, which has more than 10⁹ subsets of twelve.
#[test]
fn a_cover_with_very_many_subsets_is_found_at_once() {
    let mut cliques: Vec<Vec<u16>> = (0..40).flat_map(|a| (0..a).map(move |b| vec![b, a])).collect();
    cliques.extend((0..20).map(|i| (i..i + 12).collect()));
    let workload = Workload::from_cliques(Domain::new([1; 40]), &cliques).unwrap();
    let passes = plan(&workload, 1_000_000, &CostModel::counts()).unwrap().passes;
    assert!(passes.len() == 1 && passes[0].attributes.len() == 40, "{} passes", passes.len());
}

/// The number of passes, and all that a plan says as one number.
const EXPECTED: [(usize, u64); 42] = [
    (105, 12_376_827_042_078_867_299),
    (92, 7_311_321_562_805_621_072),
    (38, 13_799_392_538_283_913_729),
    (28, 16_130_086_593_937_956_350),
    (46, 10_002_386_544_525_257_967),
    (1140, 14_681_566_141_876_109_689),
    (702, 13_564_184_366_749_938_290),
    (244, 5_680_104_756_005_909_111),
    (146, 13_168_237_054_715_424_286),
    (261, 17_336_624_183_191_118_437),
    (17, 15_356_559_626_051_946_253),
    (16, 6_774_760_532_611_862_999),
    (10, 15_410_047_021_427_693_998),
    (8, 12_118_975_372_171_167_633),
    (10, 14_912_884_263_139_060_272),
    (1039, 4_202_028_900_684_515_013),
    (904, 4_095_222_621_333_270_747),
    (335, 15_043_351_066_070_854_854),
    (246, 346_273_002_479_712_849),
    (407, 3_842_077_913_799_430_101),
    (656, 4_946_725_945_430_269_806),
    (656, 4_967_425_894_648_143_726),
    (424, 14_343_400_947_611_140_220),
    (412, 12_654_756_242_234_370_572),
    (433, 5_241_492_247_565_177_098),
    (9880, 6_388_759_422_931_724_399),
    (5794, 9_052_571_737_835_463_032),
    (2012, 7_675_877_919_100_402_272),
    (1476, 13_742_259_695_775_052_254),
    (2219, 7_353_079_679_366_053_042),
    (23, 12_510_758_700_110_077_602),
    (16, 3_565_929_247_206_819_174),
    (15, 5_741_134_692_621_696_970),
    (93, 18_165_438_356_397_246_507),
    (37, 10_313_173_326_932_266_229),
    (28, 4_344_581_010_152_897_742),
    (326, 99_480_240_639_595_352),
    (126, 16_663_418_761_080_106_779),
    (93, 7_829_191_960_096_009_302),
    (1084, 3_892_754_726_647_668_603),
    (552, 11_895_590_643_234_394_197),
    (455, 7_896_677_806_797_393_854),
];
