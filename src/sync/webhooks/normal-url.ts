/** The one spelling of a URL, so that two spellings of it are one webhook and one receiver. */
export function normal(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
