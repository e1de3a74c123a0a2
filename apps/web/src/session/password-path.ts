/** The page of the account with the cursor in the form for its password. */
export const PASSWORD_FOCUSED = 'password';
export const PASSWORD_PATH = `/settings/account?${PASSWORD_FOCUSED}`;
