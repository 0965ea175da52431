it('a promise that rejects without a handler fails this test', async () => {
	void Promise.reject(new Error('nobody caught this'));
	await new Promise((resolve) => setTimeout(resolve, 50));
});
