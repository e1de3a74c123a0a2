import { counter } from '../../i18n/count.ts';
import type { pull as pullEn } from '../en/pull.ts';

const count = counter('fr');
const countRoughly = counter('fr', { notation: 'compact', maximumFractionDigits: 1 });

export const pull: typeof pullEn = {
  title: 'Récupérer une image',
  lead: 'L’image est récupérée en zone de transit et analysée. Vous décidez ensuite où la pousser.',
  from: 'Depuis',
  sources: { hub: 'Docker Hub', saved: 'Registre enregistré', host: 'Autre registre' },
  hubForbidden:
    'Vous n’êtes pas autorisé à récupérer des images d’autres registres. Vous pouvez analyser les images du registre intégré ; demandez à un administrateur le droit « Récupérer depuis d’autres registres ».',
  image: 'Image',
  imageHub: 'Rechercher sur Docker Hub, ou coller une référence',
  imageOther: 'equipe/app',
  official: 'Image officielle Docker',
  pulls: (n) => countRoughly(n, 'récupération', 'récupérations'),
  stars: (n) => countRoughly(n, 'étoile', 'étoiles'),
  noHits: 'Aucun résultat. Si vous connaissez le nom, vous pouvez quand même récupérer l’image.',
  tag: 'Tag',
  tagHint: 'Un tag ou un digest (sha256:…)',
  moreTags: 'Une partie des tags, les plus récents d’abord. Tapez pour en trouver d’autres.',
  registry: 'Registre',
  registryPick: 'Sélectionner un registre',
  builtIn: 'Registre intégré',
  noRegistries: 'Aucun registre enregistré.',
  host: 'Hôte',
  hostHint: 'ghcr.io, registre.example.com:5000',
  account: 'Se connecter avec un compte',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe ou jeton',
  passwordHint: 'Stocké chiffré, pour ce job uniquement.',
  useTls: 'Utiliser TLS',
  tlsVerify: 'Vérifier le certificat',
  platforms: 'Plateformes',
  allPlatforms: 'Toutes les plateformes',
  platformsHint:
    'Laissez vide pour toutes les plateformes. Les digests des images choisies ne changent pas.',
  referrers: 'Signatures, SBOM et attestations',
  referrerChoices: {
    optional: 'Copier ; omettre ce qui ne peut pas être copié',
    required: 'Copier ; échouer si un élément ne peut pas être copié',
    none: 'Ne pas copier',
  },
  scan: 'Politique d’analyse',
  scanPolicy: 'Appliquer la politique d’analyse',
  policyBlocks: (severities) => `Bloque : ${severities}.`,
  policyIgnoresUnfixed: 'Les vulnérabilités sans correctif sont ignorées.',
  policyOff: 'L’analyse est désactivée.',
  scanSeverities: 'Bloquer d’autres gravités',
  scanNone: 'Ne pas analyser',
  mayRelax: 'Vous pouvez assouplir la politique ici. Le job l’indiquera.',
  mayTighten:
    'Vous pouvez durcir la politique. L’assouplir exige un privilège que votre compte n’a pas.',
  relaxed: 'C’est moins strict que la politique d’analyse.',
  submit: 'Récupérer et analyser',
  submitOnly: 'Récupérer',
  cancel: 'Annuler',
  platformCount: (n) => count(n, 'plateforme', 'plateformes'),
};
