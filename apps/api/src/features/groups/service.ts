/** Changes groups, and refuses changes of what the provider manages. */
import { notFound } from '@portcullis/errors';
import type { Group, Page, PageOptions, Store } from '@portcullis/store';

export interface GroupPorts {
  store: Pick<Store, 'groups' | 'users'>;
}

export type AccountName = { username: string } | { userId: string };

export function createGroupService({ store }: GroupPorts) {
  async function update(
    id: string,
    change: { name?: string; description?: string },
  ): Promise<Group> {
    return store.groups.update(id, change);
  }

  async function remove(id: string): Promise<Group> {
    const group = await store.groups.get(id);
    await store.groups.remove(id);
    return group;
  }

  async function addMember(id: string, account: AccountName): Promise<Group> {
    const group = await store.groups.get(id);
    await store.groups.addMember(group.id, (await nameAccount(account)).id);
    return store.groups.get(id);
  }

  async function nameAccount(account: AccountName) {
    if ('userId' in account) {
      const found = await store.users.get(account.userId);
      if (found.authSource !== 'robot') return found;
      throw notFound('USER_UNKNOWN', 'Robots are put into groups by PATCH /robots/{id}.');
    }
    const user = await store.users.findByUsername(account.username);
    if (!user || user.authSource === 'robot')
      throw notFound('USER_UNKNOWN', 'There is no account of this name.');
    return user;
  }

  async function removeMember(id: string, userId: string): Promise<Group> {
    const group = await store.groups.get(id);
    if (!(await store.groups.removeMember(id, userId)))
      throw notFound('MEMBER_UNKNOWN', 'This account is not in the group.');
    return group;
  }

  return {
    list: (page: PageOptions): Promise<Page<Group>> => store.groups.list(page),
    get: (id: string): Promise<Group> => store.groups.get(id),
    create: (group: { name: string; description?: string }): Promise<Group> =>
      store.groups.insertGroup(group),
    update,
    remove,
    addMember,
    removeMember,
  };
}
export type GroupService = ReturnType<typeof createGroupService>;
