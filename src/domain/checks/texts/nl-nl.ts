import type { MeasuredTexts } from "./en-us.ts";

export const MEASURED_DUTCH: MeasuredTexts = {
  apparent: "De vermogens van de fasen zijn samen {power}, maar spanning maal stroom is {apparent}.",
  balance:
    "Het verbruik van het huishouden, berekend uit alle apparaten, veranderde in totaal met {before}; {why} verandert het met {after}.",
  asBattery: "als dit apparaat als batterij wordt gelezen,",
  otherDirection: "als het vermogen in de andere richting telt,",
  multiplied: "als het vermogen met {factor} wordt vermenigvuldigd,",
  clampsMoved: "als zijn stroomklemmen op andere fasen zitten dan zijn spanningen, namelijk {misplaced},",
  clampsExchanged: "die van {one} en {other} verwisseld",
  clampsRotated: "elk van de drie op een andere fase",
  linesTurned: "als {lines} in de andere richting tellen,",
  unmetered: "als het is aangesloten waar de netmeter het niet meet,",
  asPanels: "als deze meter als meter van de zonnepanelen wordt gelezen,",
  counter: "{counter} groeide met {gain} terwijl het vermogen samen {spent} gaf.",
  counterTurned: "{counter} groeide met {gain} terwijl het vermogen samen {spent} in de andere richting gaf.",
  frozen: "{power} en alle andere waarden zijn {time} lang niet veranderd, {why}.",
  othersMoved: "terwijl de andere apparaten met {power} veranderden",
  counterStill: "hoewel {counter} met {energy} had moeten groeien",
  chargeStill: "hoewel {energy} aan de laadtoestand te zien zou moeten zijn",
  voltages: "De spanningen wijken gemiddeld {before} af van die van de meter; in de volgorde {order} {after}.",
  phases:
    "Het vermogen van de laadpaal verschijnt op andere fasen van de meter: {before} is niet verklaard, in de volgorde {order} maar {after}.",
  negative:
    "Berekend uit net, zonnepanelen, batterij en laadpalen verbruikt het huishouden {power}; dat kan niet negatief zijn.",
  role: "Het vermogen veranderde met {moved} toen het laden het vermogen van het huis met {left} veranderde: zo doet een netmeter, en zonnepanelen nooit.",
  duplicate: "Beide melden hetzelfde vermogen, dat met {moved} veranderde, met een correlatie van {correlation}.",
  darkMeter: "{point} geeft {power} in het donker: het kan de netmeter zijn, die het huis mist.",
  meterOrSign:
    "{point} geeft {power}: het kan de netmeter zijn, die het huis mist, of een omvormer met het verkeerde teken.",
  batteryDark: "{point} geeft {power}, in het donker, zoals een batterij.",
  batteryBoth: "{point} geeft {power}, en op andere tijden meer dan 0, zoals een batterij.",
  belowZero: "{point} geeft {power}; dat kan niet onder 0 zijn.",
  range: "{point} geeft {value}; in een huis ligt het tussen {min} en {max}.",
  charge: "De laadtoestand veranderde met {change} terwijl het vermogen {power} was, dat bij laden positief is.",
  failsafe:
    "De gateway zette {point} op {setpoint}, en het is {found}, de noodwaarde van het apparaat, voordat de tijd van de gateway om was: een andere besturing kan die tijd hebben gezet.",
  reset:
    "De gateway zette {point} op {setpoint}, en het is {found}, de veilige waarde: een andere besturing of een mens heeft het teruggezet, of het apparaat is herstart.",
  changed:
    "De gateway zette {point} op {setpoint}, en het is {found}: een andere besturing of een mens bij het apparaat heeft het veranderd.",
  otherDevice:
    "Op {place} antwoordt een ander apparaat, met serienummer {found}; verwacht wordt {expected}. Het wordt niet gelezen en niet bestuurd; het verwachte apparaat wordt op andere adressen gezocht.",
  loadTurned: "Een belasting van {load} werd ingeschakeld, en {lines} daalde met {fell}: de richting is omgedraaid.",
  loadTurnedMeter:
    "Een belasting van {load} werd ingeschakeld, en de meter daalde met {fell}: de richting is omgedraaid.",
  loadOtherPhase:
    "Een belasting van {load} werd op {line} ingeschakeld, en bij de meter steeg {lines}: de stroomklemmen zitten op andere fasen dan ze heten.",
  loadMisplaced:
    "Een belasting van {load} werd ingeschakeld, en op {lines} steeg de stroom meer dan het vermogen: een stroomklem zit op een andere fase dan de spanning waarmee hij wordt verrekend.",
  noImportLimit:
    "De netaansluiting heeft geen afnamegrens: niets beschermt de zekering. Stel site.connection.fuseA in, of PATCH /local/site.",
  noGridMeter:
    "De netaansluiting heeft grenzen, maar het huis heeft geen netmeter: niets houdt ze aan. Voeg de meter bij de aansluiting toe, of stel in welke meter daar zit.",
  forecastHigh:
    "In de laatste twee weken maakten de panelen {measured}, verwacht was {forecast}. De verwachting telt maal {factor}. Kijk onder Instellingen, Zonverwachting, of piekvermogen, helling en richting van de panelen kloppen. Zo ja, zoek naar schaduw, en of een deel van de panelen uit is. Als een grens de panelen vaak tegenhoudt, wijs deze bevinding af.",
  forecastLow:
    "In de laatste twee weken maakten de panelen {measured}, verwacht was {forecast}. De verwachting telt maal {factor}. Kijk onder Instellingen, Zonverwachting, of alle panelen zijn ingevoerd en of hun piekvermogen, helling en richting kloppen. Zo ja, kijk of een meter de panelen dubbel telt.",
  siteImport: "{import} is meer dan de hoofdzekering van {fuse} draagt ({limit}); de zekering begrenst",
  sitePeak: "{peak} is meer dan de gecontracteerde {import}",
  siteFuse: "De zekering van {fuse} ligt boven de {limit} van {above}, die begrenst; controleer beide",
  siteCircuitKw: "{power} ligt boven de {limit} van {above}, die begrenst; controleer beide",
  siteNoLimit: "{circuit} heeft geen zekering en geen hoogste vermogen en begrenst dus niets",
  sitePanels:
    "{meter} meet zonnepanelen en telt naast de omvormer {inverters} niet mee, anders telde de opbrengst dubbel. Kies “wat al meetelt” als hij panelen van die omvormer meet, of “andere zonnepanelen naast die met verbonden omvormer” als hij andere meet",
  siteNoMeter: "{device} moet {place} meten en heeft geen meter; kies een apparaat dat er een heeft",
  siteConnection: "de aansluiting",
  storage: "Opgeslagen gegevens waren beschadigd (details in het Engels): {details}",
  backupFailed:
    "De geplande back-up van {time} is niet gemaakt: {failure}. {newest} Als de oorzaak is verholpen, maakt “Nu een back-up maken” onder Instellingen, Back-ups er meteen een.",
  backupNotUploaded:
    "De geplande back-up van {time} staat in zijn map, maar is niet geüpload: {failure}. Als de oorzaak is verholpen, maakt “Nu een back-up maken” onder Instellingen, Back-ups er meteen een en uploadt hem.",
  backupStale:
    "Twee geplande back-ups hadden vóór {time} gemaakt moeten zijn, en geen is gemaakt. {newest} De gateway moet op de geplande tijd aan staan. Als de oorzaak is verholpen, maakt “Nu een back-up maken” onder Instellingen, Back-ups er meteen een.",
  proofReads: "meet {value}",
  proofAnswers: "antwoordt",
  proofSends: "zendt wat het meet",
  proofAnnounced: "meldt zich als {name}",
  proofSilent: "meldt zich als {name}, maar antwoordt niet op Modbus",
  proofModbus: "spreekt Modbus op poort {port}, unit {unit}",
  backupNewest: "De laatste die is gemaakt, is van {time}.",
  backupNone: "Daarvoor is er geen.",
  "backup-passphrase": "het bestand gaat met de ingestelde wachtwoordzin niet open",
  "backup-damaged": "het bestand is afgekapt of veranderd",
  "backup-full": "er is geen ruimte meer, hier of op de server",
  "backup-no-access": "de gateway mag niet in de map schrijven",
  "backup-not-found": "de map of het bestand is er niet",
  "backup-no-such-host": "er is geen server met deze naam",
  "backup-unreachable": "de server is niet bereikbaar",
  "backup-untrusted": "het certificaat van de server is niet geldig",
  "backup-timeout": "hij was niet op tijd klaar",
  "backup-unauthorized": "de server neemt de gebruiker of het wachtwoord niet aan",
  "backup-address-refused": "naar dit adres worden geen back-ups gestuurd",
  "backup-broken": "de verbinding werd verbroken, of er antwoordt iets anders",
  "backup-rejected": "de server heeft het bestand niet aangenomen",
  "backup-stopped": "de gateway stopte ondertussen",
};
