/** How the page of a report looks, in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d0d5dc, #3d444d); --soft: light-dark(#57606a, #a0a8b2);
  --red: light-dark(#b3261e, #ff8a80); --amber: light-dark(#7a5200, #f0b849); --green: light-dark(#1b6e35, #6fcf8a); }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#fff, #15181c); color: light-dark(#1c2128, #e6e9ed); }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; list-style: none; }
.counts li { padding: .25rem .75rem; border: 1px solid currentColor; border-radius: 1rem; font-weight: 600; }
details { border-top: 1px solid var(--line); }
summary { padding: .6rem 0; min-height: 1.6rem; cursor: pointer; }
.mark { display: inline-block; min-width: 5.5rem; font-weight: 600; }
.deviates { color: var(--red); } .untried { color: var(--amber); } .holds { color: var(--green); }
.spec { color: var(--soft); } .left { color: var(--red); }
pre { margin: .5rem 0; padding: .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  border: 1px solid var(--line); border-radius: .4rem; font-size: .8rem; }
`
