import { TwoFactorClient } from '../../lab/drive/twoFactorClient';
import { twoFactor } from '../../sandbox/twoFactor';
import { useSandbox } from '../support/sandbox';

export * from '../../lab/drive/twoFactorClient';

/** Provides a client of a sandbox with the two-factor service alone, reset before each test of a file. */
export const useTwoFactor = (): TwoFactorClient =>
	new TwoFactorClient(useSandbox({ services: [twoFactor] }));

/** Matches the body of an error with this code. */
export function failure(code: string, message?: string) {
	const text = message ?? (expect.stringMatching(/\S/) as string);
	return expect.objectContaining({
		message: text,
		success: false,
		errors: expect.objectContaining({ message: text }) as object,
		error_code: code,
	}) as object;
}
