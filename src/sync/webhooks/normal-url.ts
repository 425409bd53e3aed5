/** Returns the normalized URL, so that two spellings of a URL are the same webhook and the same receiver. */
export function normal(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
