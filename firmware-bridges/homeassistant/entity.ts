import type { Template, TemplateError } from "./template.ts";

/** One condition of an entity's availability. */
export interface AvailabilityTopic {
  readonly topic: string;
  readonly available: string;
  readonly notAvailable: string;
  readonly template: Template;
}

export interface Availability {
  readonly mode: "all" | "any" | "latest";
  readonly topics: readonly AvailabilityTopic[];
}

/** The device that an entity belongs to, as its announcement says. */
export interface EntityDevice {
  readonly identifiers: readonly string[];
  readonly name: string | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly version: string | null;
  readonly serial: string | null;
}

/** An announced entity, with all abbreviations undone. */
export interface Entity {
  /** Its unique id, else its object id. */
  readonly id: string;
  readonly objectId: string;
  readonly name: string | null;
  /** `sensor`, `switch`, `number` and their like. */
  readonly component: string;
  readonly deviceClass: string | null;
  readonly unit: string | null;
  readonly stateTopic: string | null;
  /** How a state is read, or why it cannot be. */
  readonly template: Template | TemplateError;
  readonly commandTopic: string | null;
  readonly range: { readonly min: number; readonly max: number } | null;
  readonly on: { readonly command: string; readonly state: string };
  readonly off: { readonly command: string; readonly state: string };
  readonly availability: Availability;
  /** ms after which a state is not known any more; null: the device sets no limit. */
  readonly expiresMs: number | null;
  readonly device: EntityDevice;
  /** Topics that the announcer named without a right to them, in words: they are left out. */
  readonly refused: readonly string[];
}

/** What an announcement changes: an entity, or null where it is taken away. */
export interface EntityChange {
  /** The same for the same entity: where it was announced, and which part of it. */
  readonly key: string;
  readonly entity: Entity | null;
}
