/** The style of a report: light and dark, phone and paper, and a fill besides a colour for each series. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f23;--soft:#565d66;--line:#c9ced6;--card:#f5f6f8;--synthetic:#0b5fa5;--private:#a8400c;--on:#fff;--warn:#fdeee6}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#e9ebee;--soft:#a9b1bb;--line:#444b54;--card:#1d2125;--synthetic:#6db3f2;--private:#ff9d6b;--on:#10151a;--warn:#3a2317}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:72rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.25rem;margin:2.2rem 0 .5rem;padding-top:.6rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:0 0 .25rem}
p,ul,ol,dl{max-width:44rem;margin:.5rem 0}
nav ul{columns:16rem;padding-left:1.1rem}
a{color:var(--synthetic)}
.soft,figcaption,caption{color:var(--soft)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,10rem),1fr));gap:.5rem;max-width:none}
.facts div{background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem}
.facts dt{color:var(--soft);font-size:.85rem}
.facts dd{margin:0;font-size:1.25rem;font-weight:600}
.internal{background:var(--warn);border:2px solid var(--private);border-radius:.4rem;padding:.5rem .75rem;font-weight:600}
figure>.internal{font-size:.8rem;padding:.1rem .5rem;border-width:1px;display:inline-block;margin:0 0 .2rem}
.large{grid-column:1/-1;max-width:44rem}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1.25rem;margin:.75rem 0;align-items:start}
figure{margin:0;min-width:0;max-width:34rem;break-inside:avoid}
figcaption{font-size:.9rem;margin:.1rem 0 .4rem}
svg{display:block;width:100%;height:auto;font-family:inherit}
svg text{fill:var(--ink);font-size:12px}
@media (min-width:40rem){.large svg .label{font-size:9px}}
svg .value{font-size:11px}
svg .end{text-anchor:end}
svg .axis{font-size:8px;text-anchor:middle}
svg .inner{font-size:11px;fill:var(--on)}
svg .outer{font-size:11px}
.bar{stroke:var(--ink);stroke-width:1}
.synthetic,.plain{fill:var(--synthetic);stroke:var(--synthetic)}
.public{fill:var(--paper);stroke:var(--soft)}
.private{fill:url(#hatch);stroke:var(--private)}
.subsample{fill:url(#dots);stroke:var(--soft)}
.hatch{stroke:var(--private);stroke-width:2.5}
.specks{fill:var(--soft)}
.whisker,.tick{fill:none;stroke:var(--ink);stroke-width:1.5}
.halo{fill:none;stroke:var(--paper);stroke-width:4}
.tick{stroke-width:2.5}
.zero{stroke:var(--soft);stroke-width:1}
.dot{fill:var(--synthetic)}
.link{fill:none;stroke:var(--synthetic);stroke-opacity:.7}
.spread{fill:none;stroke:var(--soft)}
.points{fill:none;stroke:var(--synthetic);stroke-width:1.6;stroke-linecap:round}
.cell{fill:var(--synthetic);stroke:var(--line);stroke-width:.5}
.fills{position:absolute;width:0;height:0}
details{margin:.3rem 0}
summary{cursor:pointer;color:var(--synthetic);font-size:.9rem}
.wide{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.875rem;margin:.4rem 0}
caption{text-align:left;padding:.2rem 0}
th,td{text-align:left;vertical-align:top;padding:.2rem .75rem .2rem 0;border-bottom:1px solid var(--line);overflow-wrap:normal}
tbody th{font-weight:400}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
:focus-visible{outline:3px solid var(--synthetic);outline-offset:2px}
@media print{
:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--line:#aaa;--card:#fff;--synthetic:#0b5fa5;--private:#a8400c;--on:#fff;--warn:#fff}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{max-width:none;padding:0;font-size:10pt}
nav,summary{display:none}
details::details-content{content-visibility:visible;display:block;block-size:auto}
.wide{overflow:visible}
.charts{display:block}
figure,.large{max-width:none;margin:0 0 1rem}
svg{max-width:24rem}
figure{break-inside:auto}
svg,figcaption{break-inside:avoid}
h2,h3{break-after:avoid}
tr{break-inside:avoid}
th,td{overflow-wrap:anywhere}
tbody th{min-width:8rem}
}`;
