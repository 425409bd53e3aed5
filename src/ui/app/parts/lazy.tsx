/** Pages whose script is loaded when they are first shown. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadPart, type Trouble } from "../load-part.ts";
import { useLanguage } from "../texts.ts";

/** Makes a component of one that `load` brings. Until it is there, and when it cannot be loaded, the page says so. */
export function lazy<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const { texts } = useLanguage();
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded);
    const [trouble, setTrouble] = useState<Trouble | null>(null);
    useEffect(() => {
      if (loaded !== null) return;
      let isOver = false;
      const show = (part: ComponentType<Props> | null): void => {
        loaded = part ?? loaded;
        if (!isOver) setPart(() => loaded);
      };
      void loadPart(name, load, (found) => isOver || setTrouble(found)).then(show);
      return () => {
        isOver = true;
      };
    }, []);
    if (Part !== null) return <Part {...props} />;
    if (trouble === "broken") return <Broken />;
    return (
      <p class={trouble === null ? "lead" : "away"} role="status">
        {trouble === null ? texts.loading : texts.away}
      </p>
    );
  };
}

/** A part that is still missing after the page was loaded again. */
function Broken() {
  const { broken, again } = useLanguage();
  return (
    <div class="away" role="alert">
      <p>{broken}</p>
      <button class="b s" type="button" onClick={() => location.reload()}>
        {again}
      </button>
    </div>
  );
}
