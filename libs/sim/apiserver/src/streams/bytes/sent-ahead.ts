/** More than this unread, bytes, and a sender that can wait is asked to. */
export const mostSentAhead = 2 << 20;
