import type { MeasuredTexts } from "./en-us.ts";

export const MEASURED_GERMAN: MeasuredTexts = {
  apparent: "Die Leistungen der Phasen ergeben zusammen {power}, aber Spannung mal Strom ist {apparent}.",
  balance:
    "Der Verbrauch des Haushalts, aus allen Geräten berechnet, änderte sich insgesamt um {before}; {why} ändert er sich um {after}.",
  asBattery: "wenn dieses Gerät als Batterie gelesen wird,",
  otherDirection: "wenn die Leistung in der anderen Richtung zählt,",
  multiplied: "wenn die Leistung mit {factor} malgenommen wird,",
  clampsMoved: "wenn seine Stromwandler auf anderen Phasen sitzen als seine Spannungen, und zwar {misplaced},",
  clampsExchanged: "die von {one} und {other} vertauscht",
  clampsRotated: "jeder der drei auf einer anderen Phase",
  linesTurned: "wenn {lines} in der anderen Richtung zählen,",
  unmetered: "wenn es dort angeschlossen ist, wo der Netzzähler es nicht misst,",
  asPanels: "wenn dieser Zähler als Zähler der Solarmodule gelesen wird,",
  counter: "{counter} wuchs um {gain}, während die Leistung zusammen {spent} ergab.",
  counterTurned: "{counter} wuchs um {gain}, während die Leistung zusammen {spent} in der anderen Richtung ergab.",
  frozen: "{power} und alle anderen Werte haben sich {time} lang nicht geändert, {why}.",
  othersMoved: "während sich die anderen Geräte um {power} änderten",
  counterStill: "obwohl {counter} um {energy} hätte wachsen müssen",
  chargeStill: "obwohl {energy} am Ladestand zu sehen sein müssten",
  voltages:
    "Seine Spannungen weichen im Mittel um {before} von denen des Zählers ab; in der Reihenfolge {order} um {after}.",
  phases:
    "Die Leistung der Wallbox erscheint auf anderen Phasen des Zählers: {before} sind nicht erklärt, in der Reihenfolge {order} aber nur {after}.",
  negative:
    "Aus Netz, Solarmodulen, Batterie und Wallboxen berechnet, verbraucht der Haushalt {power}; das kann nicht negativ sein.",
  role: "Seine Leistung änderte sich um {moved}, als das Laden die Leistung des Hauses um {left} änderte: so tut es ein Netzzähler, und Solarmodule nie.",
  duplicate: "Beide melden dieselbe Leistung, die sich um {moved} änderte, mit einer Korrelation von {correlation}.",
  darkMeter: "{point} zeigt {power} im Dunkeln: Es könnte der Netzzähler sein, der dem Haus fehlt.",
  meterOrSign:
    "{point} zeigt {power}: Es könnte der Netzzähler sein, der dem Haus fehlt, oder ein Wechselrichter mit dem falschen Vorzeichen.",
  batteryDark: "{point} zeigt {power}, im Dunkeln, wie eine Batterie.",
  batteryBoth: "{point} zeigt {power}, und zu anderen Zeiten mehr als 0, wie eine Batterie.",
  belowZero: "{point} zeigt {power}; das kann nicht unter 0 sein.",
  range: "{point} zeigt {value}; in einem Haus liegt es zwischen {min} und {max}.",
  charge: "Der Ladestand änderte sich um {change}, während die Leistung {power} war, die beim Laden positiv ist.",
  failsafe:
    "Das Gateway hat {point} auf {setpoint} gesetzt, und es ist {found}, der Notwert des Geräts, bevor die Frist des Gateways um war: Eine andere Steuerung könnte diese Frist gesetzt haben.",
  reset:
    "Das Gateway hat {point} auf {setpoint} gesetzt, und es ist {found}, der sichere Wert: Eine andere Steuerung oder ein Mensch hat es zurückgesetzt, oder das Gerät ist neu gestartet.",
  changed:
    "Das Gateway hat {point} auf {setpoint} gesetzt, und es ist {found}: Eine andere Steuerung oder ein Mensch am Gerät hat es geändert.",
  otherDevice:
    "Unter {place} antwortet ein anderes Gerät, mit der Seriennummer {found}; erwartet wird {expected}. Es wird weder gelesen noch gesteuert; das erwartete Gerät wird unter anderen Adressen gesucht.",
  loadTurned: "Eine Last von {load} wurde eingeschaltet, und {lines} fiel um {fell}: Die Richtung ist verdreht.",
  loadTurnedMeter:
    "Eine Last von {load} wurde eingeschaltet, und der Zähler fiel um {fell}: Die Richtung ist verdreht.",
  loadOtherPhase:
    "Eine Last von {load} wurde auf {line} eingeschaltet, und am Zähler stieg {lines}: Die Stromwandler sitzen auf anderen Phasen, als sie heißen.",
  loadMisplaced:
    "Eine Last von {load} wurde eingeschaltet, und auf {lines} stieg der Strom um mehr als die Leistung: Ein Stromwandler sitzt auf einer anderen Phase als die Spannung, mit der er verrechnet wird.",
  noImportLimit:
    "Der Netzanschluss hat keine Bezugsgrenze: Nichts schützt seine Sicherung. Setzen Sie site.connection.fuseA oder PATCH /local/site.",
  noGridMeter:
    "Der Netzanschluss hat Grenzen, das Haus aber keinen Netzzähler: Nichts hält sie ein. Fügen Sie den Zähler am Netzanschluss hinzu, oder stellen Sie ein, welcher dort sitzt.",
  forecastHigh:
    "In den letzten zwei Wochen haben die Module {measured} erzeugt, vorhergesagt waren {forecast}. Die Prognose zählt mal {factor}. Prüfen Sie unter Einstellungen, Solarprognose, ob Spitzenleistung, Neigung und Richtung der Module stimmen. Wenn ja, suchen Sie nach Schatten, und ob ein Teil der Module aus ist. Wenn eine Grenze die Module oft drosselt, verwerfen Sie diesen Befund.",
  forecastLow:
    "In den letzten zwei Wochen haben die Module {measured} erzeugt, vorhergesagt waren {forecast}. Die Prognose zählt mal {factor}. Prüfen Sie unter Einstellungen, Solarprognose, ob alle Module eingetragen sind und ob ihre Spitzenleistung, Neigung und Richtung stimmen. Wenn ja, prüfen Sie, ob ein Zähler die Module doppelt zählt.",
  siteImport: "{import} sind mehr, als die Hauptsicherung von {fuse} trägt ({limit}); die Sicherung begrenzt",
  sitePeak: "{peak} sind mehr als die vereinbarten {import}",
  siteFuse: "Die Sicherung von {fuse} liegt über {limit} ({above}); diese Grenze gilt; beide prüfen",
  siteCircuitKw: "{power} liegen über {limit} ({above}); diese Grenze gilt; beide prüfen",
  siteNoLimit: "{circuit} hat weder Sicherung noch höchste Leistung und begrenzt daher nichts",
  sitePanels:
    "{meter} misst Solarmodule und zählt neben dem Wechselrichter {inverters} nicht mit, sonst zählte die Erzeugung doppelt. Misst er Module dieses Wechselrichters, ist „was schon mitgezählt wird“ richtig, misst er andere, „eine weitere Solaranlage neben der mit verbundenem Wechselrichter“",
  siteNoMeter: "{device} soll hier messen ({place}), hat aber keinen Zähler; ein Gerät mit Zähler angeben",
  siteConnection: "am Netzanschluss",
  storage: "Gespeicherte Daten waren beschädigt (Einzelheiten auf Englisch): {details}",
  backupFailed:
    "Die geplante Sicherung vom {time} wurde nicht erstellt: {failure}. {newest} Ist die Ursache behoben, erstellt „Jetzt sichern“ unter Einstellungen, Sicherungskopien sofort eine.",
  backupNotUploaded:
    "Die geplante Sicherung vom {time} liegt in ihrem Ordner, wurde aber nicht hochgeladen: {failure}. Ist die Ursache behoben, erstellt „Jetzt sichern“ unter Einstellungen, Sicherungskopien sofort eine und lädt sie hoch.",
  backupStale:
    "Zwei geplante Sicherungen waren bis {time} fällig, und keine wurde erstellt. {newest} Das Gateway muss zur geplanten Zeit laufen. Ist die Ursache behoben, erstellt „Jetzt sichern“ unter Einstellungen, Sicherungskopien sofort eine.",
  proofReads: "zeigt {value}",
  proofAnswers: "antwortet",
  proofSends: "sendet, was es misst",
  proofAnnounced: "meldet sich als {name}",
  proofSilent: "meldet sich als {name}, antwortet aber nicht auf Modbus",
  proofModbus: "spricht Modbus an Port {port}, Einheit {unit}",
  backupNewest: "Die letzte, die erstellt wurde, ist vom {time}.",
  backupNone: "Davor gibt es keine.",
  "backup-passphrase": "die Datei lässt sich mit der eingestellten Passphrase nicht öffnen",
  "backup-damaged": "die Datei ist abgeschnitten oder wurde verändert",
  "backup-full": "es ist kein Platz mehr frei, hier oder auf dem Server",
  "backup-no-access": "das Gateway darf in den Ordner nicht schreiben",
  "backup-not-found": "der Ordner oder die Datei ist nicht da",
  "backup-no-such-host": "es gibt keinen Server mit diesem Namen",
  "backup-unreachable": "der Server ist nicht erreichbar",
  "backup-untrusted": "das Zertifikat des Servers ist nicht gültig",
  "backup-timeout": "sie war nicht rechtzeitig fertig",
  "backup-unauthorized": "der Server nimmt Benutzer oder Passwort nicht an",
  "backup-address-refused": "an diese Adresse werden keine Sicherungen gesendet",
  "backup-broken": "die Verbindung brach ab, oder dort antwortet etwas anderes",
  "backup-rejected": "der Server hat die Datei nicht angenommen",
  "backup-stopped": "das Gateway wurde währenddessen beendet",
};
