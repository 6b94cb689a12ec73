using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;
using Microsoft.AspNetCore.Mvc.Testing;
using Xunit;

/// <summary>The API with real tokens of a tenant on this machine, and with tokens that it must refuse.</summary>
public class TasksTests(WebApplicationFactory<Program> api) : IClassFixture<WebApplicationFactory<Program>>
{
    [Fact]
    public async Task APersonWhoSignedInReadsTheirTasks()
    {
        var answer = await Call(Token());
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal("""{"owner":"Ada","tasks":[]}""", await answer.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task ACallWithoutATokenIsRefused() =>
        Assert.Equal(HttpStatusCode.Unauthorized, (await Call(null)).StatusCode);

    [Theory]
    [InlineData(HttpStatusCode.Unauthorized, "--expired")]
    [InlineData(HttpStatusCode.Unauthorized, "--not-yet")]
    [InlineData(HttpStatusCode.Unauthorized, "--wrong-key")]
    [InlineData(HttpStatusCode.Unauthorized, "--audience", "another-api")]
    [InlineData(HttpStatusCode.Unauthorized, "--claim", "iss=https://evil.example/v2.0/")]
    [InlineData(HttpStatusCode.Forbidden, "--claim", "scp=tasks.write")]
    [InlineData(HttpStatusCode.Forbidden, "--claim", "tfp=B2C_1_other")]
    public async Task AWrongTokenIsRefused(HttpStatusCode expected, params string[] options) =>
        Assert.Equal(expected, (await Call(Token(options))).StatusCode);

    private async Task<HttpResponseMessage> Call(string? token)
    {
        using var client = api.CreateClient();
        client.DefaultRequestHeaders.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
        return await client.GetAsync("/tasks");
    }

    /// <summary>What <c>b2c token</c> prints. It finds the server by B2C_URL, which <c>b2c exec</c> sets.</summary>
    private static string Token(params string[] options)
    {
        var start = new ProcessStartInfo("b2c", ["token", "--as", "ada", .. options]) { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        var token = process.StandardOutput.ReadToEnd().Trim();
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return token;
    }
}
