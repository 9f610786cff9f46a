//! What is known of records.

use crate::tree::{Tree, offsets};
use marginalia_tables::{Code, Error, Result};

/// Makes potentials those of the same distribution given evidence, exactly: for some attributes the codes that are possible,
/// whether each is. An attribute in no clique has no potentials: give it a clique of its own before.
pub fn condition(tree: &Tree, potentials: &mut [f64], evidence: &[(u16, Vec<bool>)]) -> Result<()> {
    for (attribute, possible) in evidence {
        let axis = tree.axis_of.get(usize::from(*attribute));
        let axis = *axis.ok_or_else(|| {
            Error::new(Code::AttributeUnknown, "evidence of an attribute that is not there")
        })?;
        if possible.len() != tree.sizes[usize::from(axis)] as usize {
            return Err(Error::new(
                Code::OptionInvalid,
                "evidence says of each code of its attribute whether it is possible",
            ));
        }
        let mut held = false;
        for leaf in &tree.leaves {
            if leaf.axes.binary_search(&axis).is_ok() {
                held = true;
                let code = offsets(&leaf.axes, [&vec![axis]], &tree.sizes);
                let own = &mut potentials[leaf.at..leaf.at + leaf.cells];
                let excluded = own.iter_mut().zip(code).filter(|(_, [code])| !possible[*code as usize]);
                excluded.for_each(|(theta, _)| *theta = f64::NEG_INFINITY);
            }
        }
        if !held {
            return Err(Error::new(
                Code::OptionInvalid,
                "evidence of an attribute in no clique: give it a clique of its own",
            ));
        }
    }
    Ok(())
}
