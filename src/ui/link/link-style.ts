/** The look of the link page. System fonts, no images, one accent; every text passes WCAG AA on its ground. */

const LIGHT = `
  --ground: #f3f5f2; --ground-2: #e6ece6; --card: #ffffff; --line: #dde3dd; --line-strong: #87938b;
  --text: #15211b; --soft: #56645c; --accent: #0a6b4d; --accent-hover: #07553d; --on-accent: #ffffff;
  --tint: #e6f3ed; --tint-line: #bfdfd0; --bad: #a32118; --bad-ground: #fdeceb; --bad-line: #f3c8c4;
  --warn: #7a4d00; --warn-ground: #fdf1d8; --shadow: 0 1px 2px #15211b0d, 0 12px 32px -12px #15211b24;
  --tile-l: 93%; --tile-c: 40%; --tile-text: 26%;
`;
const DARK = `
  --ground: #0c110e; --ground-2: #131b16; --card: #161d19; --line: #2a342e; --line-strong: #728077;
  --text: #ebf1ed; --soft: #a5b3ab; --accent: #4fcb98; --accent-hover: #74dab0; --on-accent: #04180f;
  --tint: #17322a; --tint-line: #275a48; --bad: #ff9d94; --bad-ground: #3a1a18; --bad-line: #6a2f2b;
  --warn: #f3c471; --warn-ground: #362a12; --shadow: 0 0 0 1px #ffffff08, 0 16px 40px -16px #000000b3;
  --tile-l: 22%; --tile-c: 34%; --tile-text: 82%;
`;

const TONES = [155, 205, 255, 300, 345, 20, 45, 85]
  .map((hue, tone) => {
    const colour = `background: hsl(${hue} var(--tile-c) var(--tile-l)); color: hsl(${hue} 55% var(--tile-text))`;
    return `.tone-${tone} { ${colour} }`;
  })
  .join("\n");

const FRAME = `
*, *::before, *::after { box-sizing: border-box }
html { color-scheme: light; font-size: 100%; -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
[data-scheme="dark"] { color-scheme: dark }
[data-scheme="system"] { color-scheme: light dark }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; color: var(--text); line-height: 1.5;
  background: radial-gradient(120% 60% at 50% 0, var(--ground-2), transparent 70%) var(--ground);
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  -webkit-font-smoothing: antialiased; overflow-wrap: break-word; -webkit-tap-highlight-color: transparent;
}
h1, p, ul, fieldset { margin: 0; padding: 0; border: 0; min-width: 0 }
ul { list-style: none }
[hidden] { display: none !important }
.icon { width: 1.5rem; height: 1.5rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.6;
  stroke-linecap: round; stroke-linejoin: round }
.aside, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip:focus { position: fixed; z-index: 1; top: .5rem; left: .5rem; padding: .6rem 1rem; border-radius: .6rem; background: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
h1:focus, h1:focus-visible { outline: none }
.shell { display: flex; flex-direction: column; max-width: 30rem; min-height: 100vh; min-height: 100dvh; margin: 0 auto;
  padding: max(.75rem, env(safe-area-inset-top)) 0 max(.75rem, env(safe-area-inset-bottom)) }
.top { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 3rem; padding: 0 1.25rem }
.mark { display: inline-flex; align-items: center; gap: .55rem; color: var(--soft); font-size: .9rem; font-weight: 550 }
.mark span { line-height: 1.2 }
.mark .icon { color: var(--accent) }
.cancel { display: inline-flex; align-items: center; min-height: 2.75rem; margin-right: -.75rem; padding: 0 .75rem; border-radius: .7rem;
  color: var(--soft); font-size: .95rem; font-weight: 550; text-decoration: none }
.cancel:hover { color: var(--text); background: var(--line) }
.card { flex: 1; display: flex; flex-direction: column; gap: 1.5rem; padding: .75rem 1.25rem 1.25rem }
.foot { display: flex; align-items: flex-start; justify-content: center; gap: .5rem; padding: .75rem 1.25rem 0; color: var(--soft); font-size: .8rem; line-height: 1.4 }
.foot .icon { width: 1rem; height: 1rem; margin-top: .06rem }
.progress { display: flex; gap: .35rem }
.progress i { flex: 1; height: .25rem; border-radius: 1rem; background: var(--line) }
.progress .past { background: var(--accent) }
.heading { display: grid; gap: .6rem; justify-items: start }
.heading > :not(h1, p) { margin-bottom: .5rem }
h1 { font-size: 1.6rem; line-height: 1.2; letter-spacing: -.02em; font-weight: 680; text-wrap: balance }
.lead { color: var(--soft); font-size: 1.03rem; text-wrap: pretty }
@media (min-width: 34rem) {
  .shell { justify-content: center; padding: 2rem 1rem }
  .card { flex: none; padding: 2rem; border: 1px solid var(--line); border-radius: 1.5rem; background: var(--card); box-shadow: var(--shadow) }
  .top { padding: 0 .5rem; margin-bottom: .5rem }
  .foot { padding-top: 1rem }
}
@media (max-width: 33.99rem) { .card { background: none } .form { flex: 1 } .actions { margin-top: auto } }
`;

const CONTROLS = `
.form { display: flex; flex-direction: column; gap: 1.25rem }
.actions { display: flex; flex-direction: column; gap: .6rem; padding-top: .25rem }
.button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 3.25rem; padding: .7rem 1.25rem;
  border: 1px solid var(--line-strong); border-radius: .9rem; background: var(--card); color: var(--text); font: inherit; font-weight: 620;
  text-align: center; text-decoration: none; cursor: pointer; transition: background-color .12s, border-color .12s, color .12s }
.button:hover { border-color: var(--accent); color: var(--accent) }
.button-main { border-color: transparent; background: var(--accent); color: var(--on-accent) }
.button-main:hover { background: var(--accent-hover); border-color: transparent; color: var(--on-accent) }
.button-quiet { border-color: transparent; background: none; color: var(--soft); min-height: 2.75rem }
.button-quiet:hover { border-color: transparent; background: var(--line); color: var(--text) }
.button-small { min-height: 2.75rem; padding: .4rem 1rem }
.is-sent .button-main { position: relative; color: transparent; pointer-events: none }
.is-sent .button-main::after { content: ""; position: absolute; width: 1.35rem; height: 1.35rem; border-radius: 50%;
  border: 3px solid var(--on-accent); border-right-color: transparent; animation: turn .8s linear infinite }
.is-sent .row { pointer-events: none }
.field { display: grid; gap: .4rem }
.field label { font-weight: 600; font-size: .95rem }
.optional { color: var(--soft); font-weight: 400 }
.input { position: relative; display: flex }
input:not([type="checkbox"]) { width: 100%; min-height: 3.25rem; padding: .7rem 1rem; border: 1px solid var(--line-strong); border-radius: .9rem;
  background: var(--card); color: var(--text); font: inherit; font-size: 1.05rem; appearance: none }
input:not([type="checkbox"]):focus { outline: 3px solid var(--accent); outline-offset: -1px; border-color: transparent }
input[aria-invalid="true"] { border-color: var(--bad) }
input[aria-invalid="true"]:not([type="checkbox"]):focus { outline-color: var(--bad) }
input::placeholder { color: var(--soft); opacity: 1 }
input.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 1.5rem; letter-spacing: .3em; text-align: center }
.input:has(.reveal:not([hidden])) input { padding-right: 5.5rem }
.reveal { position: absolute; inset: .2rem .2rem .2rem auto; padding: 0 .9rem; border: 0; border-radius: .7rem; background: none;
  color: var(--accent); font: inherit; font-size: .9rem; font-weight: 600; cursor: pointer }
.reveal:hover { background: var(--tint) }
.field-error { color: var(--bad); font-size: .9rem; font-weight: 600 }
input[aria-invalid="true"] + .box { border-color: var(--bad) }
.field legend { padding: 0; font-weight: 620 }
.details { display: grid; gap: .5rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .9rem; font-size: .9rem; overflow-wrap: anywhere }
.details li { display: grid }
.details strong { font-weight: 620 }
.details span { color: var(--soft) }
.hint { color: var(--soft); font-size: .875rem }
.fine { color: var(--soft); font-size: .875rem; text-wrap: pretty }
.fine-lock { display: flex; gap: .5rem }
.fine .icon { width: 1.1rem; height: 1.1rem; margin-top: .1rem }
.search { display: flex; gap: .5rem }
.search-box { position: relative; flex: 1; display: flex }
.search-box .icon { position: absolute; left: .9rem; top: 50%; translate: 0 -50%; color: var(--soft); pointer-events: none }
.search-box input { padding-left: 2.9rem }
.note { display: flex; gap: .7rem; padding: .85rem 1rem; border: 1px solid var(--tint-line); border-radius: .9rem; background: var(--tint); font-size: .95rem }
.note .icon { color: var(--accent) }
.note-bad { border-color: var(--bad-line); background: var(--bad-ground); color: var(--bad) }
.note-bad .icon { color: inherit }
`;

const CONTENT = `
.tile { display: inline-grid; place-items: center; flex: none; width: 2.75rem; height: 2.75rem; border-radius: .8rem; font-weight: 700; font-size: 1rem; letter-spacing: -.02em }
.tile-large { width: 3.5rem; height: 3.5rem; border-radius: 1rem; font-size: 1.25rem }
.seal { display: inline-grid; place-items: center; width: 3.5rem; height: 3.5rem; border-radius: 1.1rem; background: var(--tint); color: var(--accent) }
.seal .icon { width: 1.9rem; height: 1.9rem }
.seal-good { border-radius: 50%; background: var(--accent); color: var(--on-accent) }
.seal-good .icon { stroke-width: 2.4 }
.seal-bad { background: var(--warn-ground); color: var(--warn) }
.kinds { display: flex; flex-wrap: wrap; gap: .5rem }
.promises { display: grid; gap: 1.15rem }
.promises li { display: flex; gap: .9rem }
.promises .icon { color: var(--accent); margin-top: .1rem }
.promises div { display: grid; gap: .1rem }
.promises span { color: var(--soft) }
.rows { display: grid; gap: .6rem }
.row { display: flex; align-items: center; gap: .9rem; width: 100%; min-height: 4.25rem; padding: .7rem 1rem; border: 1px solid var(--line); border-radius: 1rem;
  background: var(--card); color: inherit; font: inherit; text-align: left }
button.row { cursor: pointer; transition: border-color .12s, background-color .12s }
button.row:hover { border-color: var(--accent); background: var(--tint) }
.row > .icon:last-child { color: var(--soft); width: 1.25rem; height: 1.25rem }
.row-text { flex: 1; display: grid; gap: .05rem; min-width: 0 }
.row-text strong { font-weight: 620 }
.row-text span { color: var(--soft); font-size: .9rem; line-height: 1.35 }
.row-text .badge { justify-self: start; margin-top: .3rem; color: var(--accent); font-size: .78rem }
.row-kind { color: var(--accent); display: inline-flex }
.badge { flex: none; padding: .15rem .6rem; border-radius: 1rem; background: var(--tint); color: var(--accent); font-size: .78rem; font-weight: 620 }
button.row .badge { background: var(--warn-ground); color: var(--warn) }
button.row .badge-bad { background: var(--bad-ground); color: var(--bad) }
.nothing { padding: 1rem; color: var(--soft); text-align: center }
.group { display: grid; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); overflow: hidden }
.group legend:not(.aside) { float: left; display: flex; align-items: center; gap: .6rem; width: 100%; padding: .8rem 1rem; border-bottom: 1px solid var(--line); font-weight: 620 }
.group legend .icon { color: var(--accent) }
.check { position: relative; display: flex; align-items: center; gap: .9rem; min-height: 4rem; padding: .75rem 1rem; cursor: pointer; clear: both }
.check + .check { border-top: 1px solid var(--line) }
.check:hover { background: var(--tint) }
.check-fixed { cursor: default }
.check-fixed:hover { background: none }
.check input { position: absolute; opacity: 0; width: 1.6rem; height: 1.6rem; margin: 0; cursor: inherit }
.box { display: grid; place-items: center; flex: none; width: 1.6rem; height: 1.6rem; border: 2px solid var(--line-strong); border-radius: .5rem; background: var(--card) }
.box .icon { width: 1.15rem; height: 1.15rem; stroke-width: 3; visibility: hidden }
input:checked + .box { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
input:checked + .box .icon { visibility: visible }
input:disabled + .box { opacity: .55 }
input:focus-visible + .box { outline: 3px solid var(--accent); outline-offset: 2px }
.waiting { display: flex; align-items: center; gap: 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft) }
.spinner { flex: none; width: 1.75rem; height: 1.75rem; border: 3px solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn .9s linear infinite }
.radar { position: relative; height: 9rem; display: grid; place-items: center }
.radar span:not(.aside) { position: absolute; width: 8.5rem; height: 8.5rem; border-radius: 50%; border: 2px solid var(--accent); opacity: 0; animation: ring 2.4s ease-out infinite }
.radar span:nth-child(1) { animation-delay: -.8s }
.radar span:nth-child(2) { animation-delay: -1.6s }
.radar::after { content: ""; width: 1.1rem; height: 1.1rem; border-radius: 50%; background: var(--accent) }
.device-code { padding: 1.1rem; border: 1px dashed var(--line-strong); border-radius: 1rem; background: var(--card); text-align: center;
  font: 650 1.9rem/1.2 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; letter-spacing: .14em; user-select: all }
@keyframes turn { to { rotate: 1turn } }
@keyframes ring { from { scale: .12; opacity: .7 } to { scale: 1; opacity: 0 } }
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation-duration: 4s !important; transition: none !important }
  .radar span:not(.aside) { animation: none; opacity: .25; scale: .6 }
}
@media (forced-colors: active) { .box, .button, .row, .seal, .tile { border: 1px solid } }
`;

export const LINK_STYLE = `
:root { ${LIGHT} }
@media (prefers-color-scheme: dark) { [data-scheme="system"] { ${DARK} } }
[data-scheme="dark"] { ${DARK} }
${FRAME}${CONTROLS}${CONTENT}${TONES}
`;
