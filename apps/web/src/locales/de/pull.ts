import { counter } from '../../i18n/count.ts';
import type { pull as pullEn } from '../en/pull.ts';

const count = counter('de');
const countRoughly = counter('de', { notation: 'compact', maximumFractionDigits: 1 });

export const pull: typeof pullEn = {
  title: 'Image pullen',
  lead: 'Das Image wird in den Staging-Bereich gepullt und gescannt. Danach entscheiden Sie, wohin es gepusht wird.',
  from: 'Von',
  sources: { hub: 'Docker Hub', saved: 'Gespeicherte Registry', host: 'Andere Registry' },
  hubForbidden:
    'Sie dürfen nicht aus anderen Registries pullen. Images der integrierten Registry können Sie scannen; bitten Sie einen Administrator um die Berechtigung „Aus anderen Registries pullen“.',
  image: 'Image',
  imageHub: 'Docker Hub durchsuchen oder Referenz einfügen',
  imageOther: 'team/app',
  official: 'Offizielles Docker-Image',
  pulls: (n) => countRoughly(n, 'Pull', 'Pulls'),
  stars: (n) => countRoughly(n, 'Stern', 'Sterne'),
  noHits: 'Keine Treffer. Wenn Sie den Namen kennen, können Sie das Image trotzdem pullen.',
  tag: 'Tag',
  tagHint: 'Ein Tag oder ein Digest (sha256:…)',
  moreTags: 'Nur ein Teil der Tags, neueste zuerst. Tippen Sie, um weitere zu finden.',
  registry: 'Registry',
  registryPick: 'Registry auswählen',
  builtIn: 'Integrierte Registry',
  noRegistries: 'Keine gespeicherten Registries.',
  host: 'Host',
  hostHint: 'ghcr.io, registry.example.com:5000',
  account: 'Mit einem Konto anmelden',
  username: 'Benutzername',
  password: 'Passwort oder Token',
  passwordHint: 'Wird verschlüsselt und nur für diesen Job gespeichert.',
  useTls: 'TLS verwenden',
  tlsVerify: 'Zertifikat prüfen',
  platforms: 'Plattformen',
  allPlatforms: 'Alle Plattformen',
  platformsHint:
    'Leer lassen für alle Plattformen. Die Digests der ausgewählten Images ändern sich nicht.',
  scan: 'Scan-Richtlinie',
  scanPolicy: 'Scan-Richtlinie anwenden',
  policyBlocks: (severities) => `Blockiert ${severities}.`,
  policyIgnoresUnfixed: 'Schwachstellen ohne Korrektur werden ignoriert.',
  policyOff: 'Das Scannen ist deaktiviert.',
  scanSeverities: 'Andere Schweregrade blockieren',
  scanNone: 'Nicht scannen',
  mayRelax: 'Sie dürfen die Richtlinie hier lockern. Der Job zeigt das an.',
  mayTighten: 'Sie dürfen die Richtlinie verschärfen. Zum Lockern fehlt Ihrem Konto das Recht.',
  relaxed: 'Das ist weniger streng als die Scan-Richtlinie.',
  submit: 'Pullen und scannen',
  submitOnly: 'Pullen',
  cancel: 'Abbrechen',
  platformCount: (n) => count(n, 'Plattform', 'Plattformen'),
};
