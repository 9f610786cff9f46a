//! Draws the tree of fifteen triples of Adult, docs/graph.svg: `cargo run -p marginalia-graph --example draw_tree > docs/graph.svg`.

use marginalia_graph::{Tree, plan};

const ATTRIBUTES: [(&str, u32); 14] = [
    ("age", 85),
    ("work", 9),
    ("weight", 100),
    ("schooling", 16),
    ("marriage", 7),
    ("occupation", 15),
    ("relation", 6),
    ("race", 5),
    ("sex", 2),
    ("gain", 100),
    ("loss", 100),
    ("hours", 99),
    ("country", 42),
    ("income", 2),
];
const TRIPLES: [[u16; 3]; 15] = [
    [5, 7, 10],
    [5, 8, 12],
    [4, 6, 13],
    [0, 3, 8],
    [1, 3, 5],
    [4, 5, 13],
    [7, 12, 13],
    [5, 9, 13],
    [4, 11, 13],
    [1, 7, 9],
    [4, 6, 9],
    [1, 3, 9],
    [3, 6, 7],
    [2, 11, 13],
    [1, 8, 12],
];

/// Of a row, a level, and a character.
const ROW: usize = 30;
const LEVEL: usize = 96;
const LETTER: usize = 7;

fn main() {
    let sizes = ATTRIBUTES.map(|(_, size)| size);
    let cliques: Vec<Vec<u16>> = TRIPLES.iter().map(|triple| triple.to_vec()).collect();
    let tree = plan(&sizes, &cliques, 1e10).expect("fifteen triples fit");
    let messages: Vec<_> = tree.messages().collect();
    let mut places = vec![(0, 0.0); messages.len()];
    let mut rows = 0;
    place(&messages, messages.len() - 1, &mut places, &mut rows);
    let depth = places.iter().map(|(level, _)| *level).max().unwrap_or(0);
    let left = 24 * LETTER;
    let (width, height) = (left + (depth + 1) * LEVEL + 60, rows * ROW + 50);
    println!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="13">
  <title id="t">The contraction tree of fifteen triples of Adult</title>
  <desc id="d">Fifteen triples of attributes at the left. Two by two they are multiplied, and what no other part has is summed, until nothing is left at the right. Beside each joint stand the cells of its message.</desc>
  <style>
    text {{ fill: #1c2733 }} .small {{ font-size: 11px; fill: #4a5a6a }} path {{ fill: none; stroke: #33527f; stroke-width: 1.5 }} circle {{ fill: #33527f }}
    @media (prefers-color-scheme: dark) {{ text {{ fill: #e6edf5 }} .small {{ fill: #a9b8c8 }} path {{ stroke: #7fa3da }} circle {{ fill: #7fa3da }} }}
  </style>"#
    );
    let spot = |node: usize| {
        let (level, row) = places[node];
        (left + level * LEVEL, 30.0 + row * ROW as f64)
    };
    for (node, (attributes, children)) in messages.iter().enumerate() {
        let (x, y) = spot(node);
        for child in children.iter().flatten() {
            let (from, at) = spot(*child);
            println!(r#"  <path d="M{from} {at:.1}H{}L{x} {y:.1}"/>"#, x - LEVEL / 3);
        }
        println!(r#"  <circle cx="{x}" cy="{y:.1}" r="3"/>"#);
        match children {
            None => {
                let names = names(&tree, node);
                println!(r#"  <text x="{}" y="{:.1}" text-anchor="end">{names}</text>"#, x - 8, y + 4.0);
            }
            Some(_) => {
                let cells: f64 = attributes.iter().map(|a| f64::from(sizes[usize::from(*a)])).product();
                println!(r#"  <text class="small" x="{}" y="{:.1}">{cells}</text>"#, x + 6, y - 5.0);
            }
        }
    }
    println!("</svg>");
}

fn names(tree: &Tree, leaf: usize) -> String {
    assert!(leaf < tree.leaves().len());
    TRIPLES[leaf].map(|attribute| ATTRIBUTES[usize::from(attribute)].0).join(" · ")
}

/// Leaves from above to below, a joint between its children and a level to the right of both.
fn place(
    messages: &[(Vec<u16>, Option<[usize; 2]>)],
    node: usize,
    places: &mut [(usize, f64)],
    rows: &mut usize,
) {
    let Some([a, b]) = messages[node].1 else {
        places[node] = (0, *rows as f64);
        *rows += 1;
        return;
    };
    place(messages, a, places, rows);
    place(messages, b, places, rows);
    places[node] = (1 + places[a].0.max(places[b].0), 0.5 * (places[a].1 + places[b].1));
}
