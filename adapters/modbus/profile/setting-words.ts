/** What the settings of the profiles mean, in the other languages of the link page. */
export const SETTING_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Power of the heating rod": { "de-DE": "Leistung des Heizstabs" },
  "1 if a KeContact S10 switches the phases": { "de-DE": "1, wenn ein KeContact S10 die Phasen umschaltet" },
  "1 if switching of the phases over Modbus is turned on": {
    "de-DE": "1, wenn die Phasenumschaltung über Modbus eingeschaltet ist",
  },
  "Power of a forced charge (IMPORT_FOCUS)": { "de-DE": "Leistung beim erzwungenen Laden" },
  "Power of a forced discharge (EXPORT_FOCUS)": { "de-DE": "Leistung beim erzwungenen Entladen" },
  "Power of a forced charge (IMPORT_FOCUS), of the battery's rated power": {
    "de-DE": "Leistung beim erzwungenen Laden, als Anteil der Nennleistung des Speichers",
  },
  "State of charge that the battery keeps": { "de-DE": "Ladestand, den der Speicher behält" },
  "State of charge up to which the grid may charge": { "de-DE": "Ladestand, bis zu dem das Netz laden darf" },
  "State of charge at which a forced charge (IMPORT_FOCUS) ends": {
    "de-DE": "Ladestand, bei dem erzwungenes Laden endet",
  },
  "Most current into the battery, from the grid and after IDLE": {
    "de-DE": "Höchster Strom in den Speicher, aus dem Netz und nach dem Ruhen",
  },
  "Most current out of the battery after IDLE": { "de-DE": "Höchster Strom aus dem Speicher nach dem Ruhen" },
  "What one count of battery and sun is, where the model is not known: 10 for high voltage": {
    "de-DE":
      "Was eine Einheit der Leistung von Speicher und Sonne ist, wenn das Modell nicht bekannt ist: 10 bei Hochvolt",
  },
};
