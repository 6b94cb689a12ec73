using System.Security.Claims;

var builder = WebApplication.CreateBuilder(args);

// Metadata, issuer and audience come from the section Authentication:Schemes:Bearer. Claims keep the names that B2C gives them.
builder.Services.AddAuthentication().AddJwtBearer(options => options.MapInboundClaims = false);

// All policies of a tenant may share issuer and keys: without the claim tfp a token of any policy is good here.
var signIn = builder.Configuration["AzureAdB2C:SignUpSignInPolicyId"] ?? "";
builder.Services.AddAuthorization(options => options.AddPolicy("read", policy => policy
    .RequireClaim("tfp", signIn)
    .RequireAssertion(context => (context.User.FindFirst("scp")?.Value ?? "").Split(' ').Contains("tasks.read"))));

var app = builder.Build();
app.MapGet("/tasks", (ClaimsPrincipal user) => new { owner = user.FindFirst("name")?.Value, tasks = Array.Empty<string>() })
    .RequireAuthorization("read");
app.Run();

public partial class Program;
