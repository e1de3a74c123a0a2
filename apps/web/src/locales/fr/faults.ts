import type { fault as faultEn } from '../en/faults.ts';

export const fault: typeof faultEn = {
  codes: {
    USERNAME_TAKEN: 'Ce nom d’utilisateur est déjà pris. Choisissez-en un autre.',
    GROUP_NAME_TAKEN: 'Un groupe porte déjà ce nom. Choisissez-en un autre.',
    FOLDER_NAME_TAKEN: 'Un dossier porte déjà ce nom. Choisissez-en un autre.',
    LAST_ADMIN: 'Plus aucun administrateur n’aurait accès. Nommez d’abord un autre administrateur.',
    TAG_IMMUTABLE:
      'Le dossier rend ce tag immuable : il ne peut être ni déplacé vers une autre image ni supprimé.',
    TAG_MOVED: 'Le tag mène désormais à une autre image.',
    QUOTA_EXCEEDED:
      'Le dossier est plein : son quota serait dépassé. Supprimez-en des images, ou demandez un quota plus élevé à un administrateur.',
    FOLDER_NOT_EMPTY: 'Le dossier contient encore des dépôts.',
    RETENTION_UNSET: 'Le dossier n’a pas de règle de rétention.',
    FOLDER_PROTECTED: 'Ce dossier est intégré et ne peut pas être modifié.',
    OIDC_ONLY_NO_ADMIN:
      'Plus aucun administrateur n’aurait accès. Un administrateur doit d’abord se connecter via le fournisseur d’identité.',
    CA_CERT_INVALID: 'Ce n’est pas un certificat au format PEM.',
    PASSWORD_NOT_LOCAL:
      'Le mot de passe de ce compte est géré par le fournisseur d’identité. Changez-le auprès de celui-ci.',
    EMAIL_DISABLED: 'L’envoi d’e-mails est désactivé. Activez-le d’abord, puis enregistrez.',
    SYSLOG_DISABLED: 'Syslog est désactivé. Activez-le d’abord, puis enregistrez.',
    GC_RUNNING: 'Un nettoyage du registre est déjà en cours.',
    REGISTRY_COLLECTING: 'Le registre est en cours de nettoyage. Réessayez dans un instant.',
    DATABASE_UPDATE_RUNNING: 'Une mise à jour est déjà en cours.',
    SCANNER_DISABLED: 'L’analyseur est désactivé.',
    USER_UNKNOWN: 'Ce compte n’existe plus.',
    GROUP_UNKNOWN: 'Ce groupe n’existe plus.',
    FOLDER_UNKNOWN: 'Ce dossier n’existe plus.',
    TOKEN_UNKNOWN: 'Ce jeton n’existe plus.',
    DISK_FULL: 'Le disque du serveur est plein. Un administrateur doit libérer de l’espace.',
    DISK_RESERVE: 'Le disque est presque plein. Les jobs attendent de l’espace libre.',
    REDIS_FULL: 'Redis n’a plus de mémoire. Un administrateur doit lui en allouer davantage.',
    REGISTRY_UNAVAILABLE:
      'Le registre ne répond pas. Réessayez dès qu’il sera de nouveau disponible.',
    REGISTRY_TIMEOUT: 'Le registre n’a pas répondu à temps. Réessayez.',
    REGISTRY_RATE_LIMITED:
      'Le registre limite nos requêtes. Réessayez plus tard ou connectez-vous avec un compte.',
    REGISTRY_LOGIN_REFUSED:
      'Le registre a refusé les identifiants enregistrés. Vérifiez-les sous Registres.',
    LOGIN_WITHHELD:
      'Les identifiants n’ont pas été envoyés, car le service de jetons du registre est sur un autre domaine. Pour l’autoriser, enregistrez le registre sous Registres avec ce service de jetons.',
    SOURCE_LOGIN_REFUSED: 'Le registre exige un compte, ou a refusé celui que vous avez saisi.',
    EGRESS_PRIVATE:
      'Cet hôte a une adresse privée. Seuls les administrateurs et les registres qu’ils ont enregistrés peuvent utiliser des adresses privées.',
    EGRESS_DENIED: 'L’exploitant bloque les connexions à cette adresse.',
    EGRESS_REFUSED: 'Les connexions à cette adresse ne sont jamais autorisées.',
    EGRESS_OWN_SERVICE: 'Cette adresse est celle d’un service interne de cette installation.',
    REGISTRY_SYSTEM: 'Le registre intégré ne peut pas être modifié.',
    REGISTRY_NOT_INDEXED:
      'Ce registre ne peut être affiché que sous forme de liste, pas d’arborescence.',
    CATALOG_CLOSED: 'Ce registre ne liste pas ses dépôts. Ouvrez-en un par son nom.',
    REPOSITORY_UNKNOWN: 'Le dépôt n’existe pas, ou vous n’y avez pas accès.',
    PLATFORM_UNKNOWN: 'L’image n’existe pas pour cette plateforme.',
    DELETE_UNSUPPORTED: 'Ce registre ne permet pas la suppression.',
    TRANSFER_UNKNOWN: 'Le transfert n’existe plus, ou vous n’y avez pas accès.',
    TRANSFER_SETTLED: 'Ce transfert est déjà terminé.',
    TRANSFER_NOT_RETRYABLE: 'Rien n’a échoué dans ce transfert : il n’y a rien à relancer.',
    SCHEDULE_UNKNOWN: 'La planification n’existe plus, ou vous n’y avez pas accès.',
    SCHEDULE_RUNNING: 'L’exécution précédente de cette planification n’est pas encore terminée.',
    OWNER_DISABLED: 'Le compte propriétaire est désactivé.',
    NETWORK: 'Le serveur est injoignable. Vérifiez votre connexion et réessayez.',
    INTERNAL:
      'Une erreur interne s’est produite. Si elle se répète, transmettez l’ID de requête à un administrateur.',
    RATE_LIMITED: 'Trop de requêtes depuis votre adresse.',
    LOGIN_FAILED: 'Nom d’utilisateur ou mot de passe incorrect.',
    LOGIN_THROTTLED: 'Trop de tentatives de connexion infructueuses.',
    ACCOUNT_DISABLED: 'Ce compte est désactivé. Adressez-vous à un administrateur.',
    OIDC_ONLY: 'Cette installation n’autorise que la connexion via le fournisseur d’identité.',
    ADMIN_ONLY: 'Réservé aux administrateurs.',
    JOB_UNKNOWN: 'Le job n’existe plus, ou vous n’y avez pas accès.',
    DOCKERHUB_UNAVAILABLE: 'Docker Hub est injoignable pour le moment.',
    IMAGE_UNKNOWN: 'L’image n’existe pas.',
    IMAGE_HAS_HOST: 'L’image contient un hôte. Saisissez l’hôte dans le champ prévu.',
    IMAGE_INVALID: 'Ce n’est pas un nom d’image. Utilisez dépôt, dépôt:tag ou dépôt@digest.',
    REGISTRY_UNKNOWN: 'Le registre n’existe pas.',
    PULL_EXTERNAL_FORBIDDEN:
      'Vous n’êtes pas autorisé à récupérer des images d’autres registres. Un administrateur peut accorder ce droit sur un dossier.',
    PUSH_EXTERNAL_FORBIDDEN:
      'Vous n’êtes pas autorisé à pousser des images vers d’autres registres. Un administrateur peut accorder ce droit sur un dossier.',
    FOLDER_FORBIDDEN: 'Vous n’avez pas ce droit sur le dossier. Un administrateur peut l’accorder.',
    OVERRIDE_FORBIDDEN:
      'Vous n’êtes pas autorisé à assouplir la politique d’analyse. Un administrateur peut accorder ce privilège.',
    VULN_BLOCKED: 'L’image contient des vulnérabilités que la politique d’analyse n’autorise pas.',
    SCAN_REQUIRED: 'La politique d’analyse exige une analyse complète de l’image.',
    ARTIFACT_BLOCKED:
      'La politique n’autorise que des images de conteneur, et cet artefact est d’un autre type.',
    DATABASE_TOO_OLD:
      'La base de vulnérabilités utilisée pour l’analyse est trop ancienne. Mettez-la à jour, puis relancez l’analyse.',
    VEX_EMPTY: 'Aucune dérogation en vigueur ne couvre ceci.',
    VEX_TOO_LARGE:
      'Le document OpenVEX est trop volumineux. Divisez-le, ou exportez des images une à une.',
    PATTERN_INVALID: 'Le motif n’est pas valide.',
    POLICY_UNKNOWN: 'Cette politique n’existe plus, ou vous n’y avez pas accès.',
    POLICY_PROTECTED: 'La politique par défaut se modifie sous « Politique d’analyse ».',
    POLICY_NAME_TAKEN: 'Une politique porte déjà ce nom. Choisissez-en un autre.',
    POLICY_CHANGED: 'Un autre compte a modifié cette politique en même temps. Rechargez-la.',
    POLICY_IN_USE:
      'Des dossiers ou des registres utilisent encore cette politique. Attribuez-leur d’abord une autre politique.',
    POLICIES_MANY:
      'Le nombre maximal de politiques est atteint. Supprimez-en une qui n’est pas utilisée.',
    WAIVER_UNKNOWN: 'Cette dérogation n’existe plus, ou vous n’y avez pas accès.',
    WAIVER_FORBIDDEN:
      'Vous n’avez pas ce droit sur les dérogations. Un administrateur peut l’accorder.',
    WAIVER_OWN_REQUEST:
      'Vous avez demandé cette dérogation vous-même : une autre personne doit l’approuver.',
    WAIVER_CLOSED: 'Cette dérogation est close ou a expiré. Demandez-en une autre.',
    WAIVER_CHANGED:
      'Un autre compte a modifié cette dérogation en même temps. Consultez-la à nouveau.',
    WAIVER_REQUESTER_FORBIDDEN:
      'Le compte qui a demandé cette dérogation n’est plus autorisé à la demander.',
    WAIVER_END_INVALID: 'Choisissez une date de fin dans les 365 prochains jours.',
    WEBHOOK_UNKNOWN: 'Ce webhook n’existe plus, ou vous n’y avez pas accès.',
    WEBHOOKS_MANY:
      'Le nombre maximal de webhooks est atteint. Supprimez-en un qui n’est pas utilisé.',
    WEBHOOK_DISABLED: 'Le webhook est désactivé. Activez-le d’abord.',
    DELIVERY_UNKNOWN: 'Cet envoi n’existe plus. Les envois sont conservés sept jours.',
    DELIVERIES_MANY:
      'Trop d’envois de ce webhook sont en attente. Vérifiez d’abord son destinataire.',
    URL_PRIVATE:
      'L’URL mène à une adresse privée. L’exploitant peut l’autoriser avec EGRESS_ALLOW.',
    URL_DENIED: 'Les requêtes vers cette adresse ne sont pas autorisées.',
    JOB_NOT_READY: 'Le job n’est pas encore prêt pour cela.',
    SELECTION_TOO_LARGE: 'Trop de jobs correspondent. Affinez le filtre ; rien n’a été modifié.',
    JOB_SETTLED: 'Ce job est déjà terminé.',
    JOB_NOT_RETRYABLE: 'Il n’y a rien à relancer dans ce job.',
    PASSWORD_WRONG: 'Le mot de passe actuel est incorrect.',
    PASSWORD_UNCHANGED: 'Le nouveau mot de passe doit être différent de l’actuel.',
    PASSWORD_CHANGE_REQUIRED: 'Changez d’abord votre mot de passe.',
    OIDC_DISABLED: 'La connexion via le fournisseur d’identité est désactivée.',
    OIDC_STATE_INVALID:
      'Cette connexion a expiré ou a été lancée dans un autre navigateur. Réessayez.',
    OIDC_DENIED: 'Le fournisseur d’identité a refusé la connexion.',
    OIDC_GROUPS_MISSING:
      'Le fournisseur d’identité n’a pas transmis vos groupes, nécessaires à la connexion. Adressez-vous à un administrateur.',
    OIDC_NOT_ALLOWED: 'Aucun de vos groupes n’est autorisé à se connecter ici.',
    OIDC_PROVIDER_UNAVAILABLE: 'Le fournisseur d’identité est injoignable.',
    VALIDATION_FAILED: 'Certains champs ne sont pas valides. Vérifiez les champs signalés.',
    LOGINS_BUSY: 'Trop de connexions en même temps. Réessayez.',
    PASSWORDS_UNAVAILABLE:
      'Les mots de passe ne peuvent pas être vérifiés pour le moment. Réessayez.',
    PASSWORD_REQUIRED: 'Saisissez le mot de passe.',
    USERNAME_REQUIRED: 'Saisissez le nom d’utilisateur.',
    CREDENTIAL_MISSING: 'Vous n’êtes pas connecté.',
    SESSION_REQUIRED: 'Vous devez être connecté ; un jeton ne suffit pas.',
    MEMBER_UNKNOWN: 'Ce compte n’est plus membre du groupe.',
    PERMISSION_UNKNOWN: 'Le groupe n’a plus de droits sur ce dossier.',
    TOKEN_ACTION: 'La portée de ce jeton ne permet pas cette action.',
    ROBOT_UNKNOWN: 'Ce robot n’existe plus, ou vous n’y avez pas accès.',
    ROBOT_FORBIDDEN:
      'Ce robot a des droits que vous n’avez pas. Adressez-vous à un administrateur.',
    ROBOTS_MANY: 'Le nombre maximal de robots est atteint. Supprimez-en d’abord quelques-uns.',
    TRUST_UNKNOWN: 'Cette règle de confiance n’existe plus.',
    TRUST_NAME_TAKEN: 'Il existe déjà une règle de confiance de ce nom.',
    TRUSTS_MANY:
      'Le nombre maximal de règles de confiance est atteint. Supprimez-en d’abord quelques-unes.',
    IDENTITY_TOKEN_INVALID: 'Le jeton d’identité n’est pas valide.',
    IDENTITY_TOKEN_EXPIRED: 'Le jeton d’identité a expiré.',
    IDENTITY_TOKEN_REPLAYED: 'Le jeton d’identité a déjà été utilisé.',
    IDENTITY_UNTRUSTED: 'Aucune règle de confiance n’accepte ce jeton d’identité.',
    ISSUER_UNAVAILABLE: 'Les clés de l’émetteur ne peuvent pas être récupérées pour le moment.',
    TOKENS_MANY: 'Vous avez atteint le nombre maximal de jetons. Révoquez-en d’abord quelques-uns.',
    REGISTRIES_MANY:
      'Vous avez atteint le nombre maximal de registres. Supprimez-en d’abord quelques-uns.',
    WAIVERS_MANY:
      'Trop de vos dérogations pour ce dossier attendent une revue. Patientez, ou révoquez-en d’abord quelques-unes.',
    JOBS_MANY: 'Vous avez atteint le nombre maximal de jobs. Supprimez-en d’abord quelques-uns.',
    SCHEDULES_MANY:
      'Vous avez atteint le nombre maximal de planifications. Supprimez-en d’abord quelques-unes.',
    COSTLY_REQUESTS_MANY: 'Trop de requêtes de votre compte sont en cours. Réessayez.',
    STREAMS_MANY: 'Cette page est ouverte dans trop d’onglets. Fermez-en quelques-uns.',
    CURSOR_UNKNOWN: 'La liste a changé entre-temps. Rechargez-la.',
    NAME_INVALID: 'Ce n’est pas un nom de dépôt valide.',
    TAG_INVALID: 'Ce n’est pas un tag valide.',
    DIGEST_INVALID: 'Ce n’est pas un digest valide.',
    HOST_INVALID: 'Ce n’est pas un nom d’hôte valide.',
    IDEMPOTENCY_KEY_REUSED: 'La même requête a déjà été envoyée avec un autre contenu.',
    IDEMPOTENCY_KEY_IN_USE: 'La même requête est encore en cours de traitement.',
    REPORT_TOO_LARGE:
      'Le rapport d’une plateforme est trop volumineux pour être combiné dans ce format. Téléchargez celui d’une seule plateforme, ou choisissez JSON.',
    PACKAGES_TOO_MANY: 'L’image contient trop de paquets pour qu’ils soient listés.',
    REPORT_UNKNOWN: 'Il n’y a pas de rapport d’analyse pour cette image.',
    SCAN_UNKNOWN: 'Cette analyse n’existe plus.',
    SCANNER_UNAVAILABLE: 'L’analyseur n’est pas disponible pour le moment.',
    GC_UNAVAILABLE: 'Aucun worker en cours d’exécution n’a accès au stockage du registre.',
    OIDC_LOGIN_FAILED: 'La connexion via le fournisseur d’identité a échoué.',
    OIDC_USERNAME_TAKEN:
      'Votre nom d’utilisateur appartient déjà à un autre compte. Adressez-vous à un administrateur.',
    DATABASE_READ_ONLY:
      'La base de données du serveur n’accepte aucune modification pour le moment. Un administrateur doit la vérifier.',
    DATABASE_UNAVAILABLE:
      'La base de données du serveur n’est pas disponible pour le moment. Réessayez.',
    REDIS_UNAVAILABLE: 'Redis n’est pas disponible pour le moment. Réessayez.',
    QUEUE_UNAVAILABLE: 'La file d’attente des jobs n’est pas disponible pour le moment. Réessayez.',
    EVENTS_UNAVAILABLE: 'Redis n’a pas répondu à temps. Réessayez.',
    TOKEN_INVALID: 'Votre session est terminée. Reconnectez-vous.',
    CROSS_ORIGIN:
      'Le serveur ne reconnaît pas l’adresse de cette page. Un administrateur doit vérifier PUBLIC_URL et le proxy.',
    NOT_FOUND: 'Cet élément n’existe pas, ou vous n’y avez pas accès.',
    BODY_TOO_LARGE: 'La requête est trop volumineuse.',
    RELEASES_UNAVAILABLE: 'La dernière version publiée ne peut pas être déterminée pour le moment.',
  },
  title: 'Une erreur s’est produite',
  forbidden: 'Accès refusé',
  missing: 'Introuvable',
  details: 'Détails techniques',
  unknown: (code) => `L’opération a échoué : ${code}`,
  unexpected: 'Une erreur inattendue s’est produite sur cette page. Rechargez-la.',
  tryAgain: 'Réessayer',
  tryAgainIn: (wait) => `Réessayez dans ${wait}.`,
  requestId: 'ID de requête',
  reload: 'Recharger la page',
  upgraded: 'Le serveur a été mis à jour',
  upgradedHelp: 'Rechargez la page pour continuer.',
  offline: 'Aucune connexion au serveur',
  offlineHelp: 'Cette page reprend d’elle-même dès que la connexion est rétablie.',
  notFound: 'Il n’y a pas de page à cette adresse.',
  home: 'Aller à l’accueil',
};
