import { ENGLISH } from "./en-us.ts";
import { type InterventionTexts, paragraphs } from "./text.ts";

/** The American texts, with the British word for a checked box. */
export const BRITISH: InterventionTexts = {
  ...ENGLISH,
  "grant-control": (brand) => ({
    title: ENGLISH["grant-control"](brand).title,
    description: paragraphs(
      `${brand === null ? "This device" : `Your ${brand} device`} may be read, but not controlled, because that permission was not given when it was linked.`,
      "Link the device once more in your app and leave the permission to **control** it ticked.",
    ),
  }),
};
