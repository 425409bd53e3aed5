import type { ModelDefinition } from "./model.ts";
import { model1 } from "./models/1.ts";
import { model101 } from "./models/101.ts";
import { model102 } from "./models/102.ts";
import { model103 } from "./models/103.ts";
import { model111 } from "./models/111.ts";
import { model112 } from "./models/112.ts";
import { model113 } from "./models/113.ts";
import { model120 } from "./models/120.ts";
import { model121 } from "./models/121.ts";
import { model122 } from "./models/122.ts";
import { model123 } from "./models/123.ts";
import { model124 } from "./models/124.ts";
import { model160 } from "./models/160.ts";
import { model201 } from "./models/201.ts";
import { model202 } from "./models/202.ts";
import { model203 } from "./models/203.ts";
import { model204 } from "./models/204.ts";
import { model211 } from "./models/211.ts";
import { model212 } from "./models/212.ts";
import { model213 } from "./models/213.ts";
import { model214 } from "./models/214.ts";
import { model701 } from "./models/701.ts";
import { model702 } from "./models/702.ts";
import { model703 } from "./models/703.ts";
import { model704 } from "./models/704.ts";
import { model705 } from "./models/705.ts";
import { model706 } from "./models/706.ts";
import { model707 } from "./models/707.ts";
import { model708 } from "./models/708.ts";
import { model709 } from "./models/709.ts";
import { model710 } from "./models/710.ts";
import { model711 } from "./models/711.ts";
import { model712 } from "./models/712.ts";
import { model713 } from "./models/713.ts";
import { model714 } from "./models/714.ts";
import { model802 } from "./models/802.ts";

/** Every model that can be read by name. A model that is not here is walked over. */
export const MODEL_DEFINITIONS: ReadonlyMap<number, ModelDefinition> = new Map(
  [
    model1,
    model101,
    model102,
    model103,
    model111,
    model112,
    model113,
    model120,
    model121,
    model122,
    model123,
    model124,
    model160,
    model201,
    model202,
    model203,
    model204,
    model211,
    model212,
    model213,
    model214,
    model701,
    model702,
    model703,
    model704,
    model705,
    model706,
    model707,
    model708,
    model709,
    model710,
    model711,
    model712,
    model713,
    model714,
    model802,
  ].map((definition) => [definition.id, definition]),
);
