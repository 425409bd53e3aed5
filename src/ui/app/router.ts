/** Which page is shown: the part of the address behind `#/`, so that the server knows one page only. */
import { useEffect, useState } from "preact/hooks";

/** The parts of the address: `#/devices/7b10` is `["devices", "7b10"]`. */
export function useRoute(): readonly string[] {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = (): void => {
      setRoute(readRoute());
      scrollTo(0, 0);
      document.getElementById("main")?.focus({ preventScroll: true });
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

function readRoute(): readonly string[] {
  const [, path = ""] = /^#\/(.*)$/u.exec(location.hash) ?? [];
  return path
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
}
