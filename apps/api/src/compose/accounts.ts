/** Routes of accounts, sessions, tokens, groups, folders and notifications. */
import { emailNotifies } from '@portcullis/domain';
import { publishNotified } from '@portcullis/events';
import { authRoutes } from '../features/auth/routes.ts';
import { createAuthService } from '../features/auth/service.ts';
import { holdsRepositories } from '../features/folders/holdings.ts';
import { createMirrorCheck } from '../features/folders/mirror/check.ts';
import { createMirrorService } from '../features/folders/mirror/service.ts';
import { createFolderOverviews } from '../features/folders/overviews.ts';
import { createRetentionService } from '../features/folders/retention/service.ts';
import { folderRoutes } from '../features/folders/routes.ts';
import { createFolderService } from '../features/folders/service.ts';
import { groupRoutes } from '../features/groups/routes.ts';
import { createGroupService } from '../features/groups/service.ts';
import { notificationRoutes } from '../features/notifications/routes.ts';
import { createNotificationService } from '../features/notifications/service.ts';
import type { Oidc } from '../features/oidc/open.ts';
import { oidcRoutes } from '../features/oidc/routes.ts';
import { robotsRoutes } from '../features/robots/routes.ts';
import { createRobotsService } from '../features/robots/service.ts';
import { tokensRoutes } from '../features/tokens/routes.ts';
import { createTokensService } from '../features/tokens/service.ts';
import { createDispatcher } from '../features/transfers/dispatcher.ts';
import { trustsRoutes } from '../features/trusts/routes.ts';
import { createTrustsService } from '../features/trusts/service.ts';
import { usersRoutes } from '../features/users/routes.ts';
import { createUsersService, type UsersPorts } from '../features/users/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export interface AccountParts {
  oidc: Oidc;
  discardJobsOf: UsersPorts['discardJobsOf'];
}

export function accountRoutes(
  { config, passwords, redis, network, queues, log }: Connections,
  { store, identity, standings, gates, access: { locate, openLocal } }: Shared,
  { oidc, discardJobsOf }: AccountParts,
): Route[] {
  const folders = createFolderService({
    store,
    // The index lags behind direct pushes, so the registry is asked too.
    holdsRepositories: async (segment) =>
      (await store.images.countUnder(segment)) > 0 || holdsRepositories(segment, openLocal),
    assertMirror: createMirrorCheck({ registries: store.registries, locate }),
  });
  const publicUrl = config.PUBLIC_URL ?? null;
  const { bestEffort } = createDispatcher({ queues, log });
  const now = () => new Date();
  return [
    ...authRoutes({
      service: createAuthService({
        store,
        sessions: identity.sessions,
        principals: identity.principals,
        passwords,
        checkPassword: identity.checkPassword,
      }),
      authenticate: identity.authenticate,
      publicUrl,
    }),
    ...usersRoutes(
      createUsersService({
        store,
        passwords,
        discardJobsOf,
        forgetGuesses: identity.forgetGuesses,
      }),
    ),
    ...tokensRoutes(createTokensService(store)),
    ...robotsRoutes(createRobotsService({ store, discardJobsOf, now: () => new Date() })),
    ...trustsRoutes(createTrustsService(store), identity.identityExchange),
    ...oidcRoutes(oidc.service(identity), publicUrl),
    ...groupRoutes(createGroupService({ store })),
    ...folderRoutes({
      service: folders,
      overviews: createFolderOverviews({ store, standings, now }),
      retention: createRetentionService({
        ...{ folders, retention: store.retention, now },
        wake: () => bestEffort(() => queues.enqueue({ name: 'apply-retention' })),
      }),
      mirrors: createMirrorService({
        ...{ folders, mirrors: store.mirrors, pushGate: gates.pushGate },
        attempts: store.mirrorAttempts,
      }),
      publicUrl,
    }),
    ...notificationRoutes(
      createNotificationService({
        notifications: store.notifications,
        users: store.users,
        sendsMail: () => emailNotifies(network.current().email),
        announce: (accountId) => publishNotified(redis, accountId),
        now: () => new Date(),
      }),
    ),
  ];
}
