import { type InterventionTexts, paragraphs } from "./text.ts";

export const PORTUGUESE: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Volte a associar a sua conta" : `Volte a associar a sua conta ${brand}`,
    description: paragraphs(
      `O acesso a ${brand ?? "este dispositivo"} já não é válido. Isto acontece depois de uma mudança de palavra-passe ou quando a autorização foi retirada.`,
      "1. Abra a aplicação em que associou o dispositivo.\n2. Escolha **Voltar a associar**.\n3. Inicie sessão e confirme os seus dispositivos.",
      "Os seus dispositivos, o respetivo histórico e os horários mantêm-se.",
    ),
  }),
  reconnect: (brand) => ({
    title:
      brand === null ? "Restabeleça a ligação do dispositivo" : `Restabeleça a ligação do seu dispositivo ${brand}`,
    description: paragraphs(
      `O gateway não recebe resposta ${brand === null ? "do dispositivo" : `do dispositivo ${brand}`}.`,
      "1. Verifique se o dispositivo tem corrente e não mostra nenhum erro.\n2. Verifique o cabo de rede ou o Wi-Fi e se o dispositivo está na mesma rede que o gateway.\n3. Se o router foi substituído, atribua de novo ao dispositivo o endereço anterior.\n4. Desligue o dispositivo, espere um minuto e volte a ligá-lo.",
      "O gateway continua a tentar; não é preciso configurar nada de novo.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Permita o controlo" : `Permita o controlo do seu dispositivo ${brand}`,
    description: paragraphs(
      `${brand === null ? "Este dispositivo" : `O seu dispositivo ${brand}`} pode ser lido, mas não controlado, porque essa autorização não foi dada quando foi associado.`,
      "Associe o dispositivo mais uma vez na sua aplicação e deixe assinalada a autorização para o **controlar**.",
    ),
  }),
  "confirm-control": (brand) => ({
    title:
      brand === null ? "Peça a confirmação do controlo" : `Peça a confirmação do controlo do seu dispositivo ${brand}`,
    description: paragraphs(
      "O gateway sabe controlar este modelo, mas ainda ninguém confirmou que funciona neste dispositivo em concreto. Até lá, limita-se a lê-lo.",
      "Peça ao seu instalador que experimente o comando enquanto observa o dispositivo e que confirme o controlo na configuração do gateway.",
    ),
  }),
  "check-installation": (brand) => ({
    title:
      brand === null ? "Verifique a instalação do dispositivo" : `Verifique a instalação do seu dispositivo ${brand}`,
    description: paragraphs(
      brand === null
        ? "O que este dispositivo indica não condiz com o resto da casa."
        : `O que o seu dispositivo ${brand} indica não condiz com o resto da casa.`,
      "Um cabo ou sensor pode estar invertido, as fases podem estar trocadas ou pode estar definido o modelo errado. A verificação da instalação do gateway mostra o que foi medido.",
      "Peça ao seu instalador que compare os valores com o dispositivo e que confirme a correção proposta pelo gateway.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null
        ? "Descubra quem mais controla o dispositivo"
        : `Descubra quem mais controla o seu dispositivo ${brand}`,
    description: paragraphs(
      `O gateway tinha regulado ${brand === null ? "este dispositivo" : `o seu dispositivo ${brand}`}, e alguém alterou essa regulação: outra aplicação ou outro gestor de energia, um horário do próprio dispositivo ou uma pessoa junto dele. O gateway cedeu.`,
      "1. Se foi você, não é preciso fazer nada.\n2. Caso contrário, procure horários e modos automáticos na aplicação do fabricante e noutros gestores de energia, e deixe apenas um ligado.\n3. Depois, dê a ordem de novo.",
      "Este aviso desaparece quando o gateway voltar a controlar o dispositivo ou quando este regressar ao normal.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Ative o Modbus TCP" : `Ative o Modbus TCP no seu dispositivo ${brand}`,
    description: paragraphs(
      `O gateway comunica com ${brand === null ? "o dispositivo" : `o dispositivo ${brand}`} por Modbus TCP, que muitas vezes vem desativado de fábrica.`,
      "1. Abra as definições do dispositivo, no ecrã ou na página web do próprio dispositivo. Pode ser necessária uma palavra-passe de instalador.\n2. Ative o **Modbus TCP** na porta 502; em equipamento solar, escolha **SunSpec** se estiver disponível.\n3. Se o controlo for permitido à parte, permita-o também.",
    ),
  }),
};
