/** How devices behind a bus behave in its tests, and how an honest one answers. */
import { type Asked, rightAnswer } from "./evil-server.ts";

export const PACING = { minGapMs: 0, inFlight: 1 };

export const honest = (asked: Asked): void => void asked.socket.write(rightAnswer(asked));
