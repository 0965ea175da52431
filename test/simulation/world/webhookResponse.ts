import { EventEmitter } from 'node:events';

/** The parts of an Express response that webhooks use. */
export class WebhookResponse extends EventEmitter {
	statusCode = 200;
	destroyed = false;
	writableFinished = false;
	/** Resolves when the response was sent. */
	readonly sent = new Promise((resolve) => this.once('close', resolve));

	status(code: number): this {
		return Object.assign(this, { statusCode: code });
	}

	set(): this {
		return this;
	}

	json(): void {
		this.writableFinished = true;
		this.emit('close');
	}
}
