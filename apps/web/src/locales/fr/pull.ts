import { counter } from '../../i18n/count.ts';
import type { pull as pullEn } from '../en/pull.ts';

const count = counter('fr');

export const pull: typeof pullEn = {
  title: 'Tirer une image',
  lead: 'Elle est copiée ici et analysée. Vous décidez ensuite si elle continue.',
  from: 'Depuis',
  sources: { hub: 'Docker Hub', saved: 'Registre enregistré', host: 'Autre registre' },
  hubForbidden:
    'Vos groupes n’ont aucun dossier qui permette de tirer depuis d’autres registres. Vous pouvez analyser une image du registre intégré ; pour le reste, demandez à un administrateur le droit « tirer de l’extérieur ».',
  image: 'Image',
  imageHub: 'Chercher, ou coller une référence',
  imageOther: 'equipe/app',
  official: 'Officielle',
  pulls: (n) => `${n} tirages`,
  stars: (n) => `${n} étoiles`,
  noHits: 'Rien trouvé. Vous pouvez la tirer quand même si vous connaissez son nom.',
  tag: 'Étiquette',
  tagHint: 'Étiquette ou empreinte (sha256:…)',
  moreTags:
    'Une partie de ses étiquettes, les plus récentes d’abord. Tapez pour en trouver d’autres.',
  registry: 'Registre',
  registryPick: 'Choisir un registre',
  builtIn: 'Registre intégré',
  noRegistries: 'Aucun registre enregistré.',
  host: 'Hôte',
  hostHint: 'ghcr.io, registre.example.com:5000',
  account: 'Se connecter avec un compte',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe ou jeton',
  passwordHint: 'Conservé chiffré, pour cette tâche seulement.',
  useTls: 'Utiliser TLS',
  tlsVerify: 'Vérifier le certificat',
  platforms: 'Plateformes',
  allPlatforms: 'Toutes ; l’index reste entier',
  platformsHint:
    'Laissez vide pour toutes. Un choix change les images copiées, jamais leurs empreintes.',
  scan: 'Analyse',
  scanPolicy: 'Selon la politique',
  policyBlocks: (severities) => `Bloque : ${severities}.`,
  policyIgnoresUnfixed: 'Les vulnérabilités sans correctif ne bloquent pas.',
  policyOff: 'L’analyse est désactivée.',
  scanSeverities: 'Bloquer d’autres gravités',
  scanNone: 'Ne pas analyser',
  mayRelax: 'Vous pouvez assouplir la politique pour une image ; la tâche le montre.',
  mayTighten:
    'Vous pouvez la durcir. Pour retirer une gravité ou l’analyse, il faut le privilège de contourner la herse, que votre compte n’a pas.',
  relaxed: 'C’est plus souple que la politique.',
  submit: 'Tirer et analyser',
  submitOnly: 'Tirer',
  cancel: 'Annuler',
  platformCount: (n) => count(n, 'plateforme', 'plateformes'),
};
