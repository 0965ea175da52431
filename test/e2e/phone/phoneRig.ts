import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';

import type { DemoKey } from '../../../sandbox/demoIdentities';
import { passwordlessIdentity } from '../../../sandbox/passwordlessIdentity';
import { startSandbox } from '../../../sandbox/server';
import type { Sandbox } from '../../../sandbox/server';
import { twoFactor } from '../../../sandbox/twoFactor';
import { openBrowser } from '../phone.browser';

/** The sandbox's phone in a browser, opened again for each test of a file. */
export class PhoneRig {
	sandbox!: Sandbox;
	browser!: Browser;
	page!: Page;
	/** Errors that the page reported. A test fails if any is left at its end. */
	pageErrors: string[] = [];

	async open(): Promise<void> {
		await this.page.goto(this.sandbox.phoneUrl);
		await this.page.getByText('Live').waitFor();
	}

	tab(name: string): Locator {
		return this.page.getByRole('tab', { name: new RegExp(`^${name}`) });
	}

	request(text: string): Locator {
		return this.page.locator('#requests article', { hasText: text });
	}

	historyEntries(): Locator {
		return this.page.locator('#history article');
	}

	button(name: string): Locator {
		return this.page.getByRole('button', { name, exact: true });
	}

	async issueJob(sub: string, scope: string): Promise<string> {
		const { application } = this.sandbox.demo;
		const response = await fetch(`${this.sandbox.addresses.passwordlessIdentity}/scope`, {
			method: 'POST',
			headers: { 'content-type': 'application/jwt' },
			body: makeToken({ iss: application.fingerprint, sub, scope }, application),
		});
		expect(response.status).toBe(201);
		return ((await response.json()) as { job: string }).job;
	}

	async fetchJob(job: string): Promise<Response> {
		return await fetch(`${this.sandbox.addresses.passwordlessIdentity}/scope/${job}`);
	}

	async callTwoFactor(path: string, body?: object) {
		const response = await fetch(this.sandbox.addresses.twoFactor + path, {
			method: body ? 'POST' : 'GET',
			headers: {
				'X-Twofactor-API-Key': this.sandbox.demo.twoFactor.apiKey,
				...(body && { 'content-type': 'application/json' }),
			},
			body: body && JSON.stringify(body),
		});
		return { status: response.status, body: await response.json() };
	}

	async enroll(cellphone = this.sandbox.demo.user.phoneNumber): Promise<number> {
		const user = { email: this.sandbox.demo.user.email, cellphone, country_code: '1' };
		const { body } = await this.callTwoFactor('/protected/json/users/new', { user });
		return body.user.id as number;
	}

	async requestApproval(id: number, message: string, otherFields: object = {}): Promise<string> {
		const path = `/onetouch/json/users/${id}/approval_requests`;
		const { body } = await this.callTwoFactor(path, { message, ...otherFields });
		return body.approval_request.uuid as string;
	}

	async readApprovalStatus(uuid: string): Promise<string> {
		const { body } = await this.callTwoFactor(`/onetouch/json/approval_requests/${uuid}`);
		return body.approval_request.status as string;
	}
}

/** Provides an open phone for each test of a file. */
export function usePhone(): PhoneRig {
	const phone = new PhoneRig();
	beforeAll(async () => {
		phone.sandbox = await startSandbox({ services: [passwordlessIdentity, twoFactor] });
		phone.browser = await openBrowser();
	});
	afterAll(async () => {
		await (phone.browser as Browser | undefined)?.close();
		await (phone.sandbox as Sandbox | undefined)?.close();
	});
	beforeEach(async () => {
		phone.sandbox.reset();
		phone.pageErrors = [];
		const context = await phone.browser.newContext({ viewport: { width: 390, height: 800 } });
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		phone.page = await context.newPage();
		phone.page.on('pageerror', (error) => phone.pageErrors.push(String(error)));
		phone.page.on('console', (message) => {
			if (message.type() === 'error') phone.pageErrors.push(message.text());
		});
		await phone.open();
	});
	afterEach(async () => {
		await phone.page.context().close();
		expect(phone.pageErrors).toEqual([]);
		expect(phone.sandbox.internalErrors).toEqual([]);
	});
	return phone;
}

function makeToken(claims: object, { privateJwk }: DemoKey): string {
	const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const content = `${encodePart({ alg: 'EdDSA', typ: 'JWT' })}.${encodePart(claims)}`;
	const key = createPrivateKey({ key: privateJwk as JsonWebKey, format: 'jwk' });
	return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
}

/** Verifies the signature with the fingerprint alone, and returns the claims. */
export function readToken(token: string, fingerprint: string) {
	const [header, claims, signature] = token.split('.') as [string, string, string];
	const jwk = { kty: 'OKP', crv: 'Ed25519', x: fingerprint };
	const isValid = verify(
		null,
		Buffer.from(`${header}.${claims}`),
		createPublicKey({ key: jwk, format: 'jwk' }),
		Buffer.from(signature, 'base64url'),
	);
	return { isValid, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) };
}
