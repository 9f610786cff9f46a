//! Two years of a survey, where the environment variable MARGINALIA_DATA names the folder that has them.

use marginalia_tables::Table;
use marginalia_tables::distinct::DistinctJob;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// Attributes whose numbers are put into bins of about equally many public rows.
const NUMBERS: [&str; 4] = ["AGEP", "DENSITY", "PINCP", "POVPIP"];

/// Some attributes of the earlier year and the later one, or `None` where there are no data.
pub fn survey(features: &str) -> Option<(Arc<Table>, Arc<Table>)> {
    let Some(folder) = std::env::var_os("MARGINALIA_DATA").map(PathBuf::from) else {
        println!("not tested on real data: set MARGINALIA_DATA to their folder");
        return None;
    };
    let names: Vec<&str> = features.split_whitespace().collect();
    let years = ["2018", "2019"].map(|year| {
        let file = folder.join(format!("acs-ma/ma{year}.csv.gz"));
        let text = Command::new("gzip").arg("-dc").arg(file).output().expect("gzip runs").stdout;
        columns(&String::from_utf8(text).expect("the file is text"), &names)
    });
    let mut sizes = Vec::new();
    let mut codes: [Vec<Vec<u16>>; 2] = Default::default();
    for (i, name) in names.iter().enumerate() {
        let texts = [&years[0][i], &years[1][i]];
        let texts: [Vec<String>; 2] = match NUMBERS.contains(name) {
            true => texts.map(|column| bins(column, texts[0])),
            false => texts.map(Clone::clone),
        };
        let mut values: Vec<&String> = texts.iter().flatten().collect();
        values.sort();
        values.dedup();
        sizes.push(values.len());
        for (codes, texts) in codes.iter_mut().zip(&texts) {
            let code = |text| values.binary_search(&text).expect("it is one of them") as u16;
            codes.push(texts.iter().map(code).collect());
        }
    }
    let [earlier, later] = codes.map(|columns| {
        let mut table = Table::new(crate::tables::schema(&sizes), false, &[]);
        let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
        table.extend(&columns, None, &[]).expect("the rows fit");
        Arc::new(table)
    });
    Some((earlier, later))
}

/// The distinct rows of a table with their multiplicities.
pub fn distinct(table: &Arc<Table>) -> Arc<Table> {
    let mut job = DistinctJob::new(Arc::clone(table)).expect("it is small enough");
    job.step(usize::MAX).expect("there is memory");
    Arc::new(job.finish().expect("there is memory"))
}

fn columns(text: &str, names: &[&str]) -> Vec<Vec<String>> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let places: Vec<usize> =
        names.iter().map(|name| header.iter().position(|h| h == name).expect("a known column")).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        columns.iter_mut().zip(&places).for_each(|(column, place)| column.push(fields[*place].to_owned()));
    }
    columns
}

/// The bin of each number among 20 with about equally many of the reference; a text is a value of its own.
fn bins(column: &[String], reference: &[String]) -> Vec<String> {
    let mut numbers: Vec<f64> = reference.iter().filter_map(|text| text.parse().ok()).collect();
    numbers.sort_by(f64::total_cmp);
    let mut cuts: Vec<f64> = (1..20).map(|i| numbers[i * numbers.len() / 20]).collect();
    cuts.dedup();
    let bin = |number: f64| cuts.partition_point(|cut| *cut <= number);
    let of =
        |text: &String| text.parse().map_or_else(|_| text.clone(), |number| format!("bin {}", bin(number)));
    column.iter().map(of).collect()
}
