import { type InterventionTexts, paragraphs } from "./text.ts";

export const POLISH: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Połącz ponownie swoje konto" : `Połącz ponownie swoje konto ${brand}`,
    description: paragraphs(
      `Dostęp do ${brand === null ? "tego urządzenia" : `konta ${brand}`} stracił ważność. Dzieje się tak po zmianie hasła lub po cofnięciu zgody.`,
      "1. Otwórz aplikację, w której połączono urządzenie.\n2. Wybierz **Połącz ponownie**.\n3. Zaloguj się i potwierdź swoje urządzenia.",
      "Twoje urządzenia, ich historia i harmonogramy pozostaną bez zmian.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Przywróć połączenie z urządzeniem" : `Przywróć połączenie z urządzeniem ${brand}`,
    description: paragraphs(
      `Bramka nie otrzymuje odpowiedzi od ${brand === null ? "urządzenia" : `urządzenia ${brand}`}.`,
      "1. Sprawdź, czy urządzenie ma zasilanie i nie pokazuje błędu.\n2. Sprawdź kabel sieciowy lub Wi-Fi oraz to, czy urządzenie jest w tej samej sieci co bramka.\n3. Jeśli router został wymieniony, przywróć urządzeniu poprzedni adres.\n4. Wyłącz urządzenie, odczekaj minutę i włącz je ponownie.",
      "Bramka cały czas ponawia próby; niczego nie trzeba konfigurować od nowa.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Zezwól na sterowanie" : `Zezwól na sterowanie urządzeniem ${brand}`,
    description: paragraphs(
      `${brand === null ? "To urządzenie" : `Twoje urządzenie ${brand}`} można odczytywać, ale nie można nim sterować, ponieważ podczas łączenia nie udzielono na to zgody.`,
      "Połącz urządzenie w aplikacji jeszcze raz i pozostaw zaznaczoną zgodę na **sterowanie**.",
    ),
  }),
  "confirm-control": (brand) => ({
    title:
      brand === null ? "Poproś o potwierdzenie sterowania" : `Poproś o potwierdzenie sterowania urządzeniem ${brand}`,
    description: paragraphs(
      "Bramka potrafi sterować tym modelem, ale nikt jeszcze nie potwierdził, że działa to na tym konkretnym urządzeniu. Do tego czasu tylko odczytuje dane.",
      "Poproś instalatora, aby wypróbował polecenie, obserwując urządzenie, i potwierdził sterowanie w konfiguracji bramki.",
    ),
  }),
  "check-installation": (brand) => ({
    title: brand === null ? "Sprawdź instalację urządzenia" : `Sprawdź instalację urządzenia ${brand}`,
    description: paragraphs(
      brand === null
        ? "Wskazania tego urządzenia nie pasują do reszty domu."
        : `Wskazania urządzenia ${brand} nie pasują do reszty domu.`,
      "Przewód lub czujnik może być podłączony odwrotnie, fazy mogą być zamienione albo ustawiono niewłaściwy model. Kontrola instalacji w bramce pokazuje, co zmierzono.",
      "Poproś instalatora o porównanie wartości z urządzeniem i o potwierdzenie poprawki, którą proponuje bramka.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null ? "Sprawdź, co jeszcze steruje urządzeniem" : `Sprawdź, co jeszcze steruje urządzeniem ${brand}`,
    description: paragraphs(
      `Bramka ustawiła ${brand === null ? "to urządzenie" : `urządzenie ${brand}`}, a ktoś to zmienił: inna aplikacja lub system zarządzania energią, harmonogram w samym urządzeniu albo osoba przy urządzeniu. Bramka ustąpiła.`,
      "1. Jeśli to Ty, nie trzeba nic robić.\n2. W przeciwnym razie poszukaj harmonogramów i trybów automatycznych w aplikacji producenta oraz w innych systemach zarządzania energią i pozostaw włączony tylko jeden.\n3. Następnie wydaj polecenie ponownie.",
      "To powiadomienie zniknie, gdy bramka znów będzie sterować urządzeniem albo gdy urządzenie wróci do zwykłej pracy.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Włącz Modbus TCP" : `Włącz Modbus TCP w urządzeniu ${brand}`,
    description: paragraphs(
      `Bramka komunikuje się z ${brand === null ? "urządzeniem" : `urządzeniem ${brand}`} przez Modbus TCP. Fabrycznie jest on często wyłączony.`,
      "1. Otwórz ustawienia urządzenia na jego wyświetlaczu lub na jego własnej stronie internetowej. Może być potrzebne hasło instalatora.\n2. Włącz **Modbus TCP** na porcie 502; w przypadku instalacji fotowoltaicznych wybierz **SunSpec**, jeśli jest dostępny.\n3. Jeśli na sterowanie trzeba zezwolić osobno, zrób to również.",
    ),
  }),
};
