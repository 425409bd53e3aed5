/** What the settings of the profiles mean, in the other languages of the link page. */
export const SETTING_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Power of a forced charge": { "de-DE": "Leistung beim erzwungenen Laden" },
  "Power of a forced discharge": { "de-DE": "Leistung beim erzwungenen Entladen" },
  "Which channel of the device, from 0": { "de-DE": "Welcher Kanal des Geräts, ab 0" },
  "Number of the inverter whose total counts": { "de-DE": "Nummer des Wechselrichters, dessen Summe zählt" },
  "Which output is on the input that blocks (SG Ready 1)": {
    "de-DE": "Welcher Ausgang am Eingang liegt, der sperrt (SG Ready 1)",
  },
  "Which output is on the input that asks for more (SG Ready 2)": {
    "de-DE": "Welcher Ausgang am Eingang liegt, der mehr anfordert (SG Ready 2)",
  },
  "Current to start with when none was set before": {
    "de-DE": "Strom, mit dem das Laden beginnt, wenn vorher keiner eingestellt war",
  },
};
