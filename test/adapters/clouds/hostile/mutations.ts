import { HTTP_MUTATIONS } from "./http-mutations.ts";
import { JSON_MUTATIONS } from "./json-mutations.ts";
import type { Mutation } from "./spoil.ts";

/** Every way in which a cloud is hostile. */
export const MUTATIONS: readonly Mutation[] = [...JSON_MUTATIONS, ...HTTP_MUTATIONS];
