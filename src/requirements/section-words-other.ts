import type { HeadingWords } from './section-words.js';

/**
 * Headings of other languages than English, by what they say: German, French, Spanish, Portuguese, Italian, Dutch and some of the
 * north and east; last in each list those that put no spaces between words.
 */
export const otherExcluded: HeadingWords = {
  within: [
    'nicht (?:im )?(?:umfang|scope|enthalten|ziele?)|nicht[- ]?ziele|außerhalb des (?:umfangs|scopes)|hors (?:périmètre|scope|sujet)|non[- ]objectifs|fuera de(?:l)? alcance|fora d[eo] escopo|fuori (?:ambito|scope)|buiten (?:de )?scope|utanför (?:scope|omfattning\\w*)|poza zakresem|kapsam dışı',
    '(?:trabajos?|mejoras?) futur[oa]s?|(?:trabalhos?|melhorias) futur[oa]s?|(?:évolutions?|améliorations?) (?:futures?|possibles?)|sviluppi futuri|(?:zukünftige|spätere|verworfene) \\p{L}+|não[- ]objetivos|no objetivos|não inclu\\p{L}+|no incluid\\p{L}+|alternatives? envisagées',
    'вне (?:рамок|области|scope|скоупа|объ[её]ма).*|не входит|не цели|не делаем',
  ],
  whole: [
    'ausblick|alternativen|abwägungen|perspectives',
    '.*(?:范围外|超出范围|不在范围|不包[括含]|非目[标標的]|非功能范围|[暂暫]不|排除|対象外|スコープ外|範囲外|やらないこと|含まない).*|.*(?:未[来來]|[后後][续續])的?(?:计划|計畫|工作|扩展|擴展|优化|優化|规划|規劃|考[虑慮]).*|(?:.*の)?将来(?:の|対応|拡張|計画|展望).*',
    '.*(?:제외|비목표|범위 ?(?:외|밖)|하지 않(?:는|을)).*|.*(?:향후|이후) ?(?:계획|과제|개선|확장|기능).*|mvp ?(?:이후|之[后後]).*',
  ],
};

/** What holds acceptance criteria. */
export const otherAccepted: HeadingWords = {
  within: [
    "akzeptanzkriterien|abnahmekriterien|erfolgskriterien|erwartetes (?:verhalten|ergebnis)|critères d['’]acceptation|critères de (?:succès|réussite)|(?:comportement|résultats?) attendus?|définition (?:de fini|du fini|of done)",
    'criterios de (?:aceptación|éxito)|(?:comportamiento|resultado) esperado|definición de (?:hecho|terminado)|critérios de (?:aceita[çc][ãa]o|aceite|sucesso)|comportamento esperado|definição de pronto|criteri di accettazione|comportamento atteso|acceptatiecriteria|acceptanskriterier|acceptkriterier|kryteria akceptacji|kabul kriterleri|критерии (?:при[её]мки|готовности|успеха)',
  ],
  whole: [
    '.*(?:验收|驗收|完成(?:标准|定义)|预期(?:结果|行为)|期望(?:结果|行为)|受け?入れ?(?:基準|条件)|完了(?:条件|の定義)|期待(?:される|する)?(?:結果|動作)).*|.*(?:인수|수용|수락|완료|검증|성공) ?(?:조건|기준).*',
  ],
};

/** What holds requirements. */
export const otherAsked: HeadingWords = {
  within: [
    'anforderung(?:en)?|aufgaben|exigences|requisitos|requisiti|tareas|tâches|taken|eisen|vereisten|krav|wymagania|gereksinimler|требовани[яй]|histor(?:ias|ie) (?:de usuario|utente)|histórias de usuário|pflichtenheft|lastenheft',
  ],
  whole: [
    '(?:\\p{L}+ )?(?:ziele?|funktionen|funktionsumfang|umfang|lieferumfang|regeln|geschäftsregeln|randbedingungen|rahmenbedingungen|grenzfälle|sonderfälle|änderungen|vorgaben|einschränkungen|was sich ändert|leitplanken)|sicherheit|barrierefreiheit|leistung',
    'périmètre(?: inclus| fonctionnel)?|portée|objectifs?.*|fonctionnalités.*|livrables.*|cas limites|règles.*|contraintes.*|spécifications?.*|tests attendus|changements.*|ce qui change|à faire|sécurité|performances?|accessibilité|qualité.*',
    'alcance|objetivos.*|funcionalidades.*|funciones.*|reglas.*|restricciones.*|entregables|casos l[íi]mite|cambios.*|qué cambia|seguridad|rendimiento|escopo|regras.*|restrições.*|entregáveis|casos de borda|mudanças.*|o que muda|segurança|desempenho|ambito|obiettivi.*|funzionalità.*|regole.*|vincoli.*|casi limite|sicurezza|doelen|functionaliteit|regels|randvoorwaarden|wijzigingen|cele|funkcje|zakres|ograniczenia|mål|funktioner|regler',
    'цели|задачи|функции.*|функциональность|ограничения|правила|что меняется|изменения|безопасность|производительность',
    '.*(?:需求|要求|要件|功能|任[务務]|待[办辦]|目[标標]|变更内容|[变變]更|[约約]束|[规規][则則]|[范範][围圍]|機能|タスク|変更(?:点|内容)|制約|スコープ|ルール|ゴール).*|.*(?:요구 ?사항|기능|할 ?일|작업|목표|변경 ?(?:사항|내용)|제약|범위|규칙).*',
  ],
};

/** What explains. */
export const otherBackground: HeadingWords = {
  within: [],
  whole: [
    'hintergrund.*|ausgangslage|problem(?:stellung|beschreibung)?|motivation|kontext|warum.*|annahmen.*|risiken.*|offene (?:fragen|punkte)|glossar|begriffe|zielgruppen?|nutzergruppen|quellen|referenzen|anhang|beispiele?|zeitplan|meilensteine|(?:ist-?zustand|aktueller (?:stand|zustand))|schritte zum reproduzieren|reproduzieren|reproduktion|tatsächliches (?:verhalten|ergebnis)|abhängigkeiten|umgebung|bemerkungen|anmerkungen|hinweise|auswirkungen',
    "contexte.*|problème.*|problématique.*|pourquoi.*|questions ouvertes|public cible|utilisateurs(?: cibles)?|glossaire|références|annexes?|exemples?|calendrier|planning|jalons|état (?:actuel|des lieux)|l['’]existant|existant|hypothèses.*|risques.*|dépendances|comportement actuel|étapes (?:pour|de) reprodu.*|remarques|environnement|impacts?",
    'antecedentes|contexto.*|problema.*|motivación|por qu[ée].*|preguntas abiertas|público[- ](?:objetivo|alvo)|usuarios.*|glosario|referencias|anexos?|ejemplos?|cronograma|estado actual|supuestos|suposiciones|riesgos.*|dependencias|comportamiento actual|pasos para reproducir|notas|impacto|motivação|perguntas abertas|usuários.*|glossário|referências|exemplos?|estado atual|premissas|suposições|riscos.*|dependências|comportamento atual|observações|contesto.*|domande aperte|utenti|glossario|riferimenti|allegati|esempi|stato attuale|ipotesi|rischi|dipendenze|achtergrond|open vragen|bakgrund|öppna frågor|tło|otwarte pytania',
    '当前|當前|目前|現在|现在|现状|今日',
    'почему.*|зачем.*|мотивация|контекст|предпосылки|проблема.*|влияние|риски|предположения|глоссарий|примеры|целевая аудитория|открытые вопросы',
    '.*(?:背景|用語|术语|術語|[动動][机機]|原因|理由|[现現][状狀]|[问問][题題]|[课課]題|影[响響]|[风風][险險]|リスク|假[设設]|前提|附[录錄]|[环環]境|目[标標]用[户戶]|用[户戶]画像|使用者輪廓|対象(?:ユーザー|者|読者)|想定(?:ユーザー|読者|利用者)|受众|里程碑|マイルストーン|日程|スケジュール)|(?:[参參]考|为什么|為什麼|なぜ|未解[决決]|待解[决決]).*',
    '.*(?:배경|동기|이유|현황|문제(?: ?(?:정의|점))?|영향|위험|가정|참고(?: ?자료)?|페르소나|대상 ?사용자|일정|환경)|왜.*|참고.*',
  ],
};

/** What describes, and may hold obligations. */
export const otherLoose: HeadingWords = {
  within: [],
  whole: [
    'überblick|einleitung|einführung|übersicht|zusammenfassung|beschreibung|zweck|architektur|technologie-?stack|résumé|aperçu|introduction|description|présentation|architecture|resumen|introducción|descripción|propósito|arquitectura|resumo|introdução|descrição|visão geral|propósito|arquitetura|descrizione|introduzione|architettura|обзор|введение|описание|архитектура',
    '.*(?:概要|概述|[简簡]介|[总總][览覽]|はじめに|架[构構]|アーキテクチャ|技[术術](?:[栈棧]|[选選]型|スタック)|構成|[结結][构構]|使用方法|使い方)|개요|요약|소개|.*(?:아키텍처|기술 ?스택|구조)',
  ],
};

/** What explains wherever it stands. */
export const otherAlways: HeadingWords = {
  within: [],
  whole: [
    'hintergrund|beispiele?|glossar|annahmen|offene fragen|contexte|exemples?|hypothèses|ejemplos?|exemplos?|esempi|примеры|.*(?:背景|例|示例|用語|术语|参考|備考|注意|補足)|배경|예시?|참고',
  ],
};
