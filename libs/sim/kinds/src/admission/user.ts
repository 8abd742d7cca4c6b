/** Who sends a request, after authentication (and impersonation). */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** Who shows the token is the user, as with kube-apiserver's --token-auth-file. */
export interface TokenUser {
  readonly token: string;
  readonly user: User;
}
