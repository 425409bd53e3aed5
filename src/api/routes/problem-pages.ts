/** The pages that problem types lead to: what a kind of problem means and what the caller can do. */
import { z } from "zod";
import { PROBLEMS, PROBLEMS_PATH, type ProblemSlug, problem } from "../../domain/problem.ts";
import { problemType } from "../answers.ts";
import type { Api } from "../api.ts";

const HTML_TYPE = "text/html; charset=utf-8";
const PAGE_PATH = `${PROBLEMS_PATH}/:slug`;
export const PROBLEM_PAGE_PATHS: readonly string[] = [PROBLEMS_PATH, PAGE_PATH];

const SLUGS = Object.keys(PROBLEMS).filter(isSlug);

export function problemPageRoutes(api: Api): void {
  api.get(PROBLEMS_PATH, { schema: { hide: true } }, (_request, reply) => {
    const items = SLUGS.map((slug) => `<li><a href="${problemType(slug)}">${PROBLEMS[slug].title}</a></li>`);
    return reply.type(HTML_TYPE).send(page("Problems", `<ul>${items.join("")}</ul>`));
  });
  api.get(PAGE_PATH, { schema: { hide: true, params: z.object({ slug: z.string() }) } }, (request, reply) => {
    const { slug } = request.params;
    if (!isSlug(slug)) throw problem("not-found", "There is no such kind of problem.");
    const { status, title, about } = PROBLEMS[slug];
    return reply.type(HTML_TYPE).send(page(title, `<p>Status ${status}</p><p>${withCode(about)}</p>`));
  });
}

function isSlug(text: string): text is ProblemSlug {
  return Object.hasOwn(PROBLEMS, text);
}

function withCode(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function page(title: string, body: string): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`;
  const back = `<p><a href="${PROBLEMS_PATH}">All problems</a></p>`;
  return `<!doctype html><html lang="en"><head>${head}</head><body><h1>${title}</h1>${body}${back}</body></html>`;
}
