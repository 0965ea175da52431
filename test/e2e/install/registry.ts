import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const LIFETIME_MS = 60 * 60_000;

/** The parts of a manifest that a package manager asks a registry for. */
interface Published {
	name: string;
	version: string;
	[key: string]: unknown;
}

/** A package registry on loopback with the two responses that npm needs: the versions of a package, and its files. It closes itself after an hour. */
export class Registry {
	private readonly packages = new Map<string, Map<string, { manifest: Published; file: Buffer }>>();

	private constructor(private readonly server: Server) {}

	static async open(): Promise<Registry> {
		const server = createServer();
		const registry = new Registry(server);
		server.on('request', ({ method, url = '/' }, response) => {
			const packageFile = method === 'GET' ? registry.find(decodeURIComponent(url)) : undefined;
			response.writeHead(packageFile ? 200 : 404, {
				'content-type': Buffer.isBuffer(packageFile)
					? 'application/octet-stream'
					: 'application/json',
			});
			response.end(
				Buffer.isBuffer(packageFile)
					? packageFile
					: JSON.stringify(packageFile ?? { error: 'E404' }),
			);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const lifetimeTimer = setTimeout(() => void registry.close(), LIFETIME_MS).unref();
		server.on('close', () => clearTimeout(lifetimeTimer)).unref();
		return registry;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	publish(manifest: Published, file: Buffer): void {
		const versions = this.packages.get(manifest.name) ?? new Map();
		this.packages.set(manifest.name, versions.set(manifest.version, { manifest, file }));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private find(url: string): object | Buffer | undefined {
		const [name = '', segment, version] = url.slice(1).split('/');
		const versions = this.packages.get(name);
		if (!versions) return undefined;
		if (segment === '-') return versions.get(version!)?.file;
		const manifests = Object.fromEntries(
			[...versions.keys()].map((key) => [key, this.describeVersion(name, key)]),
		);
		if (segment) return manifests[segment];
		return { name, 'dist-tags': { latest: [...versions.keys()].at(-1) }, versions: manifests };
	}

	private describeVersion(name: string, version: string): object {
		const { manifest, file } = this.packages.get(name)!.get(version)!;
		const hash = (algorithm: string) => createHash(algorithm).update(file);
		const integrity = `sha512-${hash('sha512').digest('base64')}`;
		const tarball = `${this.url}/${name}/-/${version}`;
		return { ...manifest, dist: { tarball, integrity, shasum: hash('sha1').digest('hex') } };
	}
}
