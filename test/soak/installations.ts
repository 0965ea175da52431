import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { startN8n } from '../../lab/n8n';
import type { N8nProcess } from '../../lab/n8n';
import { findFreePort } from '../../lab/ports';
import { terminalProgress } from '../../lab/progress';
import { signIn } from '../../lab/rest';
import type { RestClient } from '../../lab/rest';
import { startFaultProxy } from '../support/faults/proxy';
import type { ProxyRoute, FaultSelector } from '../support/faults/proxy';
import type { FaultProxy } from '../support/faults/proxy';

/** Secret of the triggers' webhooks, valid for one run only. */
export const TRIGGER_SECRET = `soak-${Date.now().toString(36)}`;

/** A real n8n with the pack, and the sandbox behind a proxy that injects faults; beside it a plain n8n. */
export interface Installations {
	lab: Lab;
	proxy: FaultProxy;
	route: ProxyRoute;
	plain: { n8n: N8nProcess; rest: RestClient };
	close: () => Promise<void>;
}

/** Starts both installations, the sandbox and the proxy. */
export async function startInstallations(selectFault: FaultSelector): Promise<Installations> {
	const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-soak-'));
	const closeActions: Array<() => Promise<unknown>> = [
		async () => await rm(folder, { recursive: true, force: true }),
	];
	const close = async () => {
		for (const closeAction of closeActions.splice(0).reverse())
			await closeAction().catch(() => undefined);
	};
	try {
		const lab = await startLab({
			userFolder: path.join(folder, 'pack'),
			sandbox: { registrations: 300 },
			progress: terminalProgress(process.stdout),
			onCrash: (message) => console.error(message),
		});
		closeActions.push(async () => await lab.stop());
		const proxy = await startFaultProxy();
		closeActions.push(async () => await proxy.close());
		const route = proxy.route(lab.sandbox.url, selectFault);
		await pointCredentialsTo(lab, route.url);
		const plainFolder = path.join(folder, 'plain');
		const n8n = await startN8n({
			node: lab.node,
			port: await findFreePort(),
			userFolder: plainFolder,
		});
		closeActions.push(async () => await n8n.stop());
		return {
			lab,
			proxy,
			route,
			plain: { n8n, rest: await signIn(n8n.url, lab.owner, plainFolder) },
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

/** Points the credentials to the proxy, and gives them a secret for the triggers' webhooks. */
async function pointCredentialsTo({ rest, credentials, sandbox }: Lab, url: string): Promise<void> {
	for (const credential of credentials) {
		const sandboxCredential = sandbox.credentials[credential.type]!;
		const data = {
			...sandboxCredential,
			baseUrl: sandboxCredential.baseUrl.replace(sandbox.url, url),
			triggerSecret: TRIGGER_SECRET,
		};
		await rest.patch(`/credentials/${credential.id}`, { ...credential, data });
	}
}
