/** What the link page does more where the browser runs scripts; without it everything works too. */
export const LINK_SCRIPT = `"use strict";
for (const element of document.querySelectorAll("[data-script-hides]")) element.hidden = true;

const search = document.querySelector("[data-search]");
if (search) {
  const rows = [...document.querySelectorAll("[data-brands] > li")];
  const nothing = document.querySelector("[data-nothing]");
  const words = nothing.textContent;
  const narrow = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.dataset.name.includes(wanted);
    nothing.hidden = rows.some((row) => !row.hidden);
    nothing.textContent = words.replace("\\u201c\\u201d", "\\u201c" + search.value.trim() + "\\u201d")
      .replace("\\u201e\\u201c", "\\u201e" + search.value.trim() + "\\u201c");
  };
  if (search.value === "") search.addEventListener("input", narrow);
  search.form.addEventListener("submit", (event) => {
    if (search.value.trim() === "" || rows.length === 0) return;
    event.preventDefault();
  });
}

for (const reveal of document.querySelectorAll("[data-reveal]")) {
  const field = document.getElementById(reveal.dataset.reveal);
  reveal.hidden = false;
  reveal.addEventListener("click", () => {
    const isShown = field.type === "text";
    field.type = isShown ? "password" : "text";
    reveal.textContent = isShown ? reveal.dataset.show : reveal.dataset.hide;
    field.focus();
  });
}

for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.classList.contains("is-sent")) event.preventDefault();
    form.classList.add("is-sent");
  });
}
// A page that the browser kept whole comes back as it was left.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
`;
