/** The state of the user dialog and the requests made of it. */
import type { User } from '@portcullis/contract';
import { changesOf, orNull } from '../../../kit/form/draft.ts';

export interface UserForm {
  username: string;
  email: string;
  password: string;
  is_admin: boolean;
  can_bypass_vuln_block: boolean;
  disabled: boolean;
  must_change_password: boolean;
}

export const NEW_USER: UserForm = {
  username: '',
  email: '',
  password: '',
  is_admin: false,
  can_bypass_vuln_block: false,
  disabled: false,
  must_change_password: true,
};

export function formOf(user: User): UserForm {
  const { username, email, is_admin, can_bypass_vuln_block, disabled, must_change_password } = user;
  return {
    username,
    email: email ?? '',
    password: '',
    is_admin,
    can_bypass_vuln_block,
    disabled,
    must_change_password,
  };
}

export function newUserBody(form: UserForm) {
  return { ...form, username: form.username.trim(), email: orNull(form.email) };
}

/** Only the differences; an empty password is not sent. */
export function userChange(user: User, form: UserForm) {
  const { username: _, password, email, ...flags } = form;
  const changed = changesOf(user, { ...flags, email: orNull(email) });
  return password === '' ? changed : { ...changed, password };
}

const SHORTEST_PASSWORD = 12;

export function isComplete(user: User | null, { username, password }: UserForm): boolean {
  if (user !== null && password === '') return true;
  return username.trim() !== '' && password.length >= SHORTEST_PASSWORD;
}

const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** 20 characters that are not easily confused: about 116 bits. */
export function generatedPassword(): string {
  const random = crypto.getRandomValues(new Uint32Array(20));
  const all = Array.from(random, (number) => ALPHABET[number % ALPHABET.length]).join('');
  return all.match(/.{5}/g)?.join('-') ?? all;
}
