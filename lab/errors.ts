/** A failure that the user can act on: its message is one line and says what to do. */
export class LabError extends Error {
	override name = 'LabError';
}

/** Free space in GB that installing n8n requires. */
export const INSTALL_DISK_GB = 4;

const NO_NETWORK =
	/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT/;
const NO_DISK = /ENOSPC|no space left on device/i;
const NO_ACCESS = /\bEACCES\b|\bEPERM\b|\bEROFS\b/;

/** Recognizes the usual reasons for a failure in npm's output; undefined for any other reason. */
export function findKnownReason(output: string): string | undefined {
	const networkError = NO_NETWORK.exec(output)?.[0];
	return networkError
		? `npm could not reach its registry (${networkError}): check the network and any proxy, then start again`
		: findFileProblem(output);
}

function findFileProblem(output: string): string | undefined {
	if (NO_DISK.test(output))
		return `the disk is full: free about ${INSTALL_DISK_GB} GB and start again`;
	const accessError = NO_ACCESS.exec(output)?.[0];
	if (accessError) return `a file may not be written (${accessError}): check who owns this folder`;
	return undefined;
}

/** Recognizes a port that another program took between its check and its use. */
function findPortProblem(message: string): string | undefined {
	const port = /EADDRINUSE.*:(\d+)$/m.exec(message)?.[1];
	return port && `port ${port} is in use: choose another with --port (n8n) or --sandbox-port`;
}

/** Converts any error into the one line that is printed. */
export function toOneLine(error: unknown): string {
	if (error instanceof LabError) return error.message;
	const { message, stack } = error instanceof Error ? error : new Error(String(error));
	const reason = findFileProblem(message) ?? findPortProblem(message);
	if (reason) return `Could not start: ${reason}.`;
	const stackFrame = stack
		?.split('\n')
		.find((line) => line.trim().startsWith('at '))
		?.trim();
	return `Could not start: ${message.split('\n')[0]}${stackFrame ? ` (${stackFrame})` : ''}`;
}
