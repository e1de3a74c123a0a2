import { counter } from '../../i18n/count.ts';
import type { pull as pullEn } from '../en/pull.ts';

const count = counter('de');

export const pull: typeof pullEn = {
  title: 'Image holen',
  lead: 'Es wird hierher kopiert und geprüft. Danach entscheiden Sie, ob es weitergeht.',
  from: 'Von',
  sources: { hub: 'Docker Hub', saved: 'Gespeicherte Registry', host: 'Andere Registry' },
  hubForbidden:
    'Ihre Gruppen haben keinen Ordner, der das Holen aus anderen Registries erlaubt. Ein Image der eingebauten Registry können Sie trotzdem prüfen; für mehr bitten Sie die Administration um das Recht „extern holen“.',
  image: 'Image',
  imageHub: 'Suchen oder Referenz einfügen',
  imageOther: 'team/app',
  official: 'Offiziell',
  pulls: (n) => `${n} Abrufe`,
  stars: (n) => `${n} Sterne`,
  noHits: 'Nichts gefunden. Wenn Sie den Namen kennen, können Sie es trotzdem holen.',
  tag: 'Tag',
  tagHint: 'Ein Tag oder ein Digest (sha256:…)',
  moreTags: 'Ein Teil der Tags, die neuesten zuerst. Tippen findet weitere.',
  registry: 'Registry',
  registryPick: 'Registry wählen',
  builtIn: 'Eingebaute Registry',
  noRegistries: 'Noch keine Registry gespeichert.',
  host: 'Host',
  hostHint: 'ghcr.io, registry.example.com:5000',
  account: 'Mit einem Konto anmelden',
  username: 'Benutzername',
  password: 'Passwort oder Token',
  passwordHint: 'Wird verschlüsselt und nur für diesen Auftrag aufbewahrt.',
  useTls: 'TLS verwenden',
  tlsVerify: 'Zertifikat prüfen',
  platforms: 'Plattformen',
  allPlatforms: 'Alle; der Index bleibt ganz',
  platformsHint:
    'Leer heißt: alle. Eine Auswahl ändert, welche Images kopiert werden, nie ihre Digests.',
  scan: 'Prüfung',
  scanPolicy: 'Wie es die Richtlinie sagt',
  policyBlocks: (severities) => `Sperrt bei ${severities}.`,
  policyIgnoresUnfixed: 'Befunde ohne Korrektur sperren nicht.',
  policyOff: 'Die Prüfung ist ausgeschaltet.',
  scanSeverities: 'Bei anderen Schweregraden sperren',
  scanNone: 'Nicht prüfen',
  mayRelax: 'Sie dürfen die Richtlinie für ein Image lockern; der Auftrag zeigt es.',
  mayTighten:
    'Sie dürfen sie verschärfen. Einen Schweregrad oder die Prüfung wegzulassen verlangt das Recht, das Tor zu umgehen; Ihr Konto hat es nicht.',
  relaxed: 'Das ist lockerer als die Richtlinie.',
  submit: 'Holen und prüfen',
  submitOnly: 'Holen',
  cancel: 'Abbrechen',
  platformCount: (n) => count(n, 'Plattform', 'Plattformen'),
};
