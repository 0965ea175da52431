// n8n gives nodes no classes to compare its errors with, so they are known by their names and words.

const namesOf = (error: Error) => [error.name, error.constructor.name];

/** Whether a credential does not exist any more. A database that is down says something else. */
export const isDeletedCredential = (error: unknown): boolean =>
	error instanceof Error &&
	(error.constructor.name === 'CredentialNotFoundError' ||
		/^Credential with ID .* (does not exist|was not found)/.test(error.message));

/** Whether a workflow was started all the same: n8n rejects a run that was cancelled, ran out of time or left no trace. */
export const isOfStartedRun = (error: unknown): boolean =>
	error instanceof Error && namesOf(error).some((name) => /Cancelled|ExecutionNotFound/.test(name));
